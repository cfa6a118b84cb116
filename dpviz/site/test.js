// The test alone: options in an order of the page's own, a score, and the scenes that teach. Nothing
// is sent or kept.

/** The sheet in another order on every visit. */
function shuffled(list) {
  const rest = [...list];
  const drawn = crypto.getRandomValues(new Uint32Array(rest.length));
  return list.map((_, i) => rest.splice(drawn[i] % rest.length, 1)[0]);
}

export function testPage() {
  const rows = [...document.querySelectorAll(".sheet > li")];
  for (const row of rows) {
    const field = row.querySelector("fieldset");
    field.append(...shuffled([...field.querySelectorAll(".option")]), field.querySelector(".sure"));
  }
  const [head, done] = [document.querySelector("h1"), document.querySelector("#done")];
  const sheet = document.querySelector("#sheet");
  sheet.addEventListener("submit", (event) => {
    event.preventDefault();
    let right = 0;
    for (const row of rows) {
      const chosen = row.querySelector("input[type=radio]:checked");
      const holds = chosen?.value === row.dataset.key;
      right += holds;
      row.querySelector(".why").hidden = false;
      const sure = !holds && chosen && row.querySelector(".sure input").checked;
      row.querySelector(".why b").textContent = (holds ? "Right" : "No") + (sure ? ", and you were sure" : "");
    }
    const { total, pass } = sheet.dataset;
    const passed = right >= Number(pass) ? "passed" : `${pass} is a pass`;
    done.textContent = head.textContent = `${right} of ${total} right: ${passed}.`;
    head.focus();
  });
}
