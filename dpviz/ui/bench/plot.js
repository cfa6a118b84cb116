// A picture by plotly.js, which Streamlit's front end brings, drawn once for each answer and at the
// size of its place. Streamlit's own chart draws twice: at a first size, and at that of its place.

let library;

/** plotly.js, of the script of the front end that holds it; path is below the server's own. */
function plotly(path) {
  const front = document.querySelector('script[type="module"][src*="/static/js/"]').src;
  library ??= import(front.slice(0, front.lastIndexOf("static/js/")) + path).then(() => window.Plotly);
  return library;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".plot");
  place.app ??= mount(place);
  place.app.take(new TextDecoder().decode(data), setTriggerValue);
  return () => {
    place.app?.leave();
    delete place.app;
  };
}

function mount(place) {
  const plot = place.firstElementChild;
  for (const around of [place.parentElement, place.parentElement.parentElement]) around.classList.add("plot-room");
  let text, given, tell, lib;

  async function take(said, trigger) {
    tell = trigger;
    if (said === text) return;
    text = said;
    const next = JSON.parse(said);
    lib ??= await plotly(next.library);
    if (said !== text || !plot.isConnected) return; // another picture came meanwhile, or none is wanted
    given = next;
    place.setAttribute("aria-label", given.alt);
    draw();
  }

  function draw() {
    const { width, height } = place.getBoundingClientRect();
    if (!width || !height) return; // it is shown later: the observer tells
    const { data, layout, config, picks } = given;
    const own = { ...layout, width, height };
    if (picks === "box") own.dragmode = "select";
    const drawn = plot.data !== undefined;
    lib.react(plot, data, own, { ...config, modeBarButtonsToAdd: [fullscreen] });
    if (drawn) return;
    // at most one is told of a click: a rectangle ends with a selection, a mark is clicked
    plot.on("plotly_selected", (event) => given.picks === "box" && event?.selections?.length && pick(event));
    plot.on("plotly_click", (event) => given.picks === "points" && pick(event));
  }

  function pick({ points, selections = [] }) {
    const list = (one) => (ArrayBuffer.isView(one) ? [...one] : one);
    tell("picked", {
      points: points.map((one) => ({ customdata: list(one.customdata), number: one.pointNumber })),
      boxes: selections.map(({ x0, x1, y0, y1 }) => ({ x: [x0, x1], y: [y0, y1] })),
    });
  }

  const fullscreen = {
    name: "Fullscreen",
    title: "Fullscreen",
    icon: { width: 24, height: 24, path: "M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z" },
    click: () => (document.fullscreenElement ? document.exitFullscreen() : place.requestFullscreen()),
  };

  const observer = new ResizeObserver(() => {
    if (!given) return;
    const { width, height } = place.getBoundingClientRect();
    const now = plot.layout;
    if (!now || Math.abs(now.width - width) >= 1 || Math.abs(now.height - height) >= 1) draw();
  });
  observer.observe(place);

  function leave() {
    observer.disconnect();
    text = undefined;
    if (plot.data) lib.purge(plot);
  }
  return { take, leave };
}
