// Start: the slider, Ida, and plays; sentences are those that Python computed.

import { linked, narrow, one, presenting, write } from "./address.js";
import { endless } from "./draws.js";
import { mounted, whenever } from "./mounted.js";
import { prove } from "./prove.js";

export function startPage(page) {
  const stage = endless(page.stage, page.drawn);
  const state = { ...page.stage.state };
  const { eps } = linked();
  if (Object.hasOwn(page.heading, eps)) state.epsilon = eps;
  const show = mounted((name, value) => {
    state[name] = value;
    say();
    write({ eps: state.epsilon });
  }, () => {});
  const draw = () => show({
    ...stage, state, controls: page.controls, k: 1, zoom: presenting && !narrow() ? page.larger : 1,
    heights: presenting ? page.heights.lecture : page.heights.here, scene: "start", keys: {}, turn: 0,
  });

  function say() {
    one("h1").innerHTML = page.heading[state.epsilon];
    one(".sentence").innerHTML = page.sentence[`${state.epsilon}|${state.ida}`];
  }

  prove(one(".proving"), page.prove, location.hash);
  whenever(() => {});
  say();
  draw();
}
