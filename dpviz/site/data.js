// The data that stands in a page, as it was before lists were written in fewer bytes.

const TENTHS = 10;

/** {$: i} is the list i of those that stand in several places, {"+": […]} holds steps of tenths. */
export function whole({ lists, page }) {
  const filled = (found) => {
    if (Array.isArray(found)) return found.map(filled);
    if (typeof found !== "object" || found === null) return found;
    if (found.$ !== undefined) return lists[found.$];
    if (found["+"]) {
      let sum = 0;
      return filled(found["+"]).map((step) => (sum += step) / TENTHS);
    }
    return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, filled(value)]));
  };
  return filled(page);
}
