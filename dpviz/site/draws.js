// Noise for the picture of Start, drawn here: its sentence is about the law, so that any draw fits it.
// Never for a release: these are doubles.

/** A uniform number in (0, 1) of 53 bits from the browser's secure generator. */
function uniform() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return ((high >>> 5) * 67108864 + (low >>> 6) + 0.5) / 9007199254740992;
}

/** Discrete Laplace noise, P(k) ∝ e^(−ε|k|), as a function of one u: the same u glides from ε to ε. */
export function noiseOf(u, epsilon) {
  const p = Math.exp(-epsilon);
  const side = Math.min(u, 1 - u); // P(noise ≤ −k) = p^k / (1 + p)
  const size = Math.max(0, Math.floor(Math.log(side * (1 + p)) / Math.log(p)));
  return u < 0.5 ? -size || 0 : size;
}

/** A stage with sets of draws that are made when they are asked for, and room for their stacks. */
export function endless(stage, drawn) {
  const { sets, dots, around, reach, count } = drawn;
  const layer = stage.layers.at(-1);
  const numbers = new Map(); // of a set: the same at every ε, so that its dots glide
  const made = {};
  const make = (key) => {
    const [, epsilon, world, number] = key.match(/^([\d.]+)\|(in|out)\|(\d+)$/) ?? [];
    if (number === undefined || Number(number) < sets) return undefined;
    if (!numbers.has(number)) numbers.set(number, Array.from({ length: dots }, uniform));
    const values = numbers.get(number).map((u) => {
      const answer = count[world] + noiseOf(u, Number(epsilon));
      return Math.min(around + reach, Math.max(around - reach, answer));
    });
    const stacks = new Map();
    for (const value of values) stacks.set(value, (stacks.get(value) ?? 0) + 1);
    const usual = stage.layers[0].states[`${epsilon}|${world}`].stack?.high ?? 0;
    return { dots: { values }, stack: { high: Math.max(usual, ...[...stacks.values()].map((n) => n + 0.6)) } };
  };
  const states = new Proxy(layer.states, { get: (known, key) => known[key] ?? (made[key] ??= make(String(key))) });
  return { ...stage, layers: [...stage.layers.slice(0, -1), { ...layer, states }] };
}
