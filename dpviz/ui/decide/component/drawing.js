export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".drawing");
  if (root._drawn !== data) root.innerHTML = root._drawn = data;
}
