// Waits for the presenter's next step: the server tells its number in a stream of events, and the page
// asks for its picture, once at a time. Where a server has no such stream, the page asks from time to
// time.

const SPREAD = 300; // ms over which a class asks
const PATIENCE = 6000; // ms after which an answer that has not come is asked for again
const EVERY = 3000; // ms between two questions where there is no stream

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".follow");
  root.follow ??= begin(root);
  root.follow.take(data, setTriggerValue);
  return () => {
    root.follow?.leave();
    delete root.follow;
  };
}

function begin(root) {
  const said = root.querySelector(".said");
  let data, tell, stream;
  let newest = 0; // what the stream told last
  let asking = 0; // the timer of a question that has no answer yet
  let asked = 0; // the timer that asks from time to time

  function take(given, trigger) {
    const other = given.code !== data?.code;
    const moved = data && given.words !== data.words;
    [data, tell] = [given, trigger];
    clearTimeout(asking);
    asking = 0;
    if (moved) said.textContent = data.words; // read aloud: the first words are the page's own
    if (other) open();
    look();
  }

  function open() {
    close();
    newest = 0;
    const base = window.location.pathname.replace(/\/learn\/?$/, "");
    stream = new EventSource(`${base}/lecture/${data.code}`);
    stream.onmessage = ({ data: number }) => {
      newest = Number(number);
      look();
    };
    stream.addEventListener("over", () => {
      newest = Infinity;
      look();
      close();
    });
    stream.onerror = () => {
      if (stream?.readyState === EventSource.CLOSED) asked ||= setInterval(() => tell("step", data.step), EVERY);
    };
  }

  function look() {
    if (asking || !(newest > data.step)) return;
    asking = setTimeout(() => {
      asking = setTimeout(() => {
        asking = 0;
        look();
      }, PATIENCE);
      tell("step", data.step);
    }, Math.random() * SPREAD);
  }

  function close() {
    stream?.close();
    clearInterval(asked);
    [stream, asked] = [undefined, 0];
  }

  function leave() {
    close();
    clearTimeout(asking);
  }

  return { take, leave };
}
