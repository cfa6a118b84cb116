// A scene in a notebook: its page in a frame, and the model that the notebook's kernel shares with it.

const CALM = 600; // px, until the page says how high it is

function render({ model, el }) {
  const frame = document.createElement("iframe");
  const night = '[data-jp-theme-light="false"], .vscode-dark, .dark, .dark-theme';
  const theme = document.querySelector(night) ? "dark" : "light";
  frame.title = model.get("title");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = `width: 100%; height: ${CALM}px; border: 0`;
  frame.srcdoc = model.get("page").replace("<html ", `<html data-theme="${theme}" `);

  const told = ({ source, data }) => {
    if (source !== frame.contentWindow || data?.dpviz !== 1) return;
    frame.style.height = `${data.height}px`;
    model.set("place", { beat: data.beat, stop: data.stop });
    model.save_changes();
  };
  const wished = ({ go }) => frame.contentWindow?.postMessage({ dpviz: 1, go }, "*");
  addEventListener("message", told);
  model.on("msg:custom", wished);
  el.append(frame);
  return () => {
    removeEventListener("message", told);
    model.off("msg:custom", wished);
  };
}

export default { render };
