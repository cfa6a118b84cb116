// What a person sees on the first screen, in numbers. Evaluated in the page.
() => {
  const wide = innerWidth, high = innerHeight;
  const seen = (box) =>
    Math.max(0, Math.min(box.right, wide) - Math.max(box.left, 0)) *
    Math.max(0, Math.min(box.bottom, high) - Math.max(box.top, 0));
  const parts = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const luminance = (colour) => {
    const linear = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = parts(colour);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor, found = parts(colour);
      if (found.length && (found.length < 4 || found[3] > 0.5)) return colour;
    }
    return "rgb(255,255,255)";
  };
  const main = document.querySelector('[data-testid="stMain"]') || document.body;

  const pictures = [...document.querySelectorAll('.js-plotly-plot, [data-testid^="stBidiComponent"], [data-testid="stImage"] img')]
    .filter((one) => !one.querySelector(".js-plotly-plot"))  // a plot counts once, without its frame
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.width > 200 && box.height > 120);

  const roots = [...document.querySelectorAll("*")].filter((one) => one.shadowRoot).map((one) => one.shadowRoot);
  const words = [
    ...document.querySelectorAll(".js-plotly-plot text"),
    ...roots.flatMap((root) => [...root.querySelectorAll("svg text")]),
  ].filter((one) => {
    const style = getComputedStyle(one);
    return one.textContent.trim() && one.getBoundingClientRect().width
      && +style.opacity > 0.3 && +style.fillOpacity > 0.3;
  });
  const sizes = words.map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent]);
  const contrasts = words.map((one) => {
    const first = luminance(getComputedStyle(one).fill);
    const other = luminance(ground((one.closest(".js-plotly-plot") || one.getRootNode().host || one).parentElement));
    return [(Math.max(first, other) + 0.05) / (Math.min(first, other) + 0.05), one.textContent];
  });

  const name = (one) => (one.getAttribute("aria-label") || one.innerText || one.type || "").trim().slice(0, 40);
  const cut = new Set();
  for (const one of document.querySelectorAll(
    '[data-testid="stMain"] :is(input, button, [role="radio"], [data-testid="stSlider"])')) {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (box.width < 9 || style.visibility === "hidden" || +style.opacity === 0) continue;
    if (["file", "checkbox", "range"].includes(one.type) || one.closest(".modebar")) continue;
    if (one.tagName === "INPUT" && one.closest('[data-testid="stSlider"]')) continue;
    if (box.left < -1 || box.right > wide + 1) { cut.add(name(one)); continue; }
    for (let holder = one.parentElement; holder && holder !== document.body; holder = holder.parentElement) {
      const flow = getComputedStyle(holder).overflowX;
      if ((flow === "hidden" || flow === "clip") && box.right > holder.getBoundingClientRect().right + 2) {
        cut.add(name(one));
        break;
      }
    }
  }
  const least = (pairs) => (pairs.length ? pairs.reduce((a, b) => (a[0] <= b[0] ? a : b)) : null);
  return {
    share: pictures.reduce((sum, box) => sum + seen(box), 0) / (wide * high),
    top: pictures.length ? Math.min(...pictures.map((box) => box.top)) : null,
    font: least(sizes),
    contrast: least(contrasts),
    cut: [...cut],
    sideways: Math.max(document.documentElement.scrollWidth, main.scrollWidth) - wide,
    scroll: main.scrollHeight - main.clientHeight,
    slider: [...document.querySelectorAll('[role="slider"]')].map((one) => one.getBoundingClientRect().bottom)[0] ?? null,
    headline: (main.querySelector("h1")?.innerText || ""),
  };
}
