export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  button.onclick = async () => {
    await navigator.clipboard?.writeText(window.location.href);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy link"), 1500);
  };
}
