export default function ({ data, parentElement, setTriggerValue }) {
  const body = parentElement.querySelector("tbody");
  const said = JSON.stringify(data);
  if (body._said === said) return;
  body._said = said;
  body.replaceChildren();
  for (const line of data) {
    const row = body.insertRow();
    row.classList.toggle("coarse", line.is_coarse);
    const cell = (text, small) => {
      const made = row.insertCell();
      made.textContent = text;
      if (small) made.appendChild(Object.assign(document.createElement("small"), { textContent: small }));
      return made;
    };
    cell(line.name);
    cell(line.detail, line.how);
    cell(line.off, line.is_coarse ? "too coarse to be of use" : "");
    const button = document.createElement("button");
    button.textContent = line.is_coarse ? "needs far more" : "make it the sentence →";
    button.setAttribute("aria-label", `make it the sentence: ${line.name}`);
    button.onclick = () => setTriggerValue("taken", line.what);
    row.insertCell().append(button);
  }
}
