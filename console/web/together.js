// The page Together.
import {el} from "/lib.js";

export async function show(main) {
  main.append(el("p", {class: "quiet"}, "Nothing to do here yet."));
}
