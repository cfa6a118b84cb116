export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".still");
  root.style.maxWidth = data.most;
  if (root._drawn !== data.drawn) root.innerHTML = root._drawn = data.drawn;
}
