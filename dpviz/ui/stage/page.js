// The stage on a page of the app: what the server hands over, and what it fetches while nobody waits.

import { stageIn } from "./component.js";
import { fetchLater } from "./later.js";

export default function (given) {
  const { data, parentElement } = given;
  const read = ArrayBuffer.isView(data) ? JSON.parse(new TextDecoder().decode(data)) : data;
  const first = !parentElement.querySelector(".stage").app;
  const leave = stageIn({ ...given, data: read });
  if (first) fetchLater(read.later);
  return leave;
}
