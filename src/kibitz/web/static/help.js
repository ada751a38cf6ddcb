// The overlay of keys, opened with ? on every page.

import { dialog, h } from "./dom.js";

const EVERYWHERE = [
  ["?", "this list"],
  ["Tab, Shift+Tab", "go from one control to the next"],
  ["Enter or Space", "press what has the focus"],
  ["Esc", "close, or take back what is half chosen"],
];

export function showHelp(keys) {
  const list = (pairs) => h("dl", { class: "keys" }, pairs.map(([key, text]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text))));
  dialog(
    "Keys",
    keys.length > 0 && h("section", {}, h("h3", {}, "At this table"), list(keys)),
    h("section", {}, h("h3", {}, "Everywhere"), list(EVERYWHERE)),
  );
}
