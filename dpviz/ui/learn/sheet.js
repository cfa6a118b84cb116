// Remembers on this phone that its sheet was handed in, and the score.

export default function ({ data, setStateValue }) {
  const key = `dpviz test ${data.name}`;
  try {
    if (data.score !== null) localStorage.setItem(key, data.score);
    const kept = localStorage.getItem(key);
    if (kept !== null) setStateValue("score", Number(kept));
  } catch {
    // a browser may forbid to keep anything
  }
}
