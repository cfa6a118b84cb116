// The doors are links with addresses of their own; a plain click stays within the visit instead.
export default function ({ parentElement, setTriggerValue }) {
  for (const link of parentElement.querySelectorAll("a")) {
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setTriggerValue("door", link.dataset.door);
    };
  }
}
