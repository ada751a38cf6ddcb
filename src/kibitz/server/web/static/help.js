// The help overlay: guided games, and the keys of the page.

import { dialog, h } from "./dom.js";
import { guideChoices } from "./guide_offer.js";

const EVERYWHERE = [
  ["?", "this list"],
  ["Tab, Shift+Tab", "move between controls"],
  ["Enter or Space", "press the focused control"],
  ["Esc", "close, or cancel a half-made choice"],
];

export function showHelp(keys, shell) {
  const list = (pairs) => h("dl", { class: "keys" }, pairs.map(([key, text]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text))));
  const guides = guideChoices(shell, () => box.close());
  const box = dialog(
    "Help",
    guides.length > 0 && h("section", {}, h("h3", {}, "Learn a game"), guides),
    keys.length > 0 && h("section", {}, h("h3", {}, "At this table"), list(keys)),
    h("section", {}, h("h3", {}, "Everywhere"), list(EVERYWHERE)),
  );
}
