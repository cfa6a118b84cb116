// The quiz: the reason comes with the answer, beside the picture that shows it; no score is kept.

export function quizPage() {
  const figures = [...document.querySelectorAll(".seen figure")];
  for (const row of document.querySelectorAll(".quiz > li")) {
    const buttons = [...row.querySelectorAll("button")];
    const [line, word] = [row.querySelector(".why > span"), row.querySelector(".why b")];
    const answer = (chosen) => {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
      word.textContent = chosen.dataset.says === row.dataset.holds ? "Yes" : "No";
      line.hidden = false;
      figures.forEach((figure) => {
        figure.hidden = figure.dataset.scene !== row.dataset.scene;
      });
    };
    buttons.forEach((button) => button.addEventListener("click", () => answer(button)));
  }
}
