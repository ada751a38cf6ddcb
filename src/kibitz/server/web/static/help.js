// @ts-check
// The help overlay: the rules, guided games, and the keys of the page.

import { button, dialog, h, toast } from "./dom.js";
import { guideChoices } from "./guide_offer.js";
import { t } from "./texts.js";

const EVERYWHERE = [
  ["?", t("this list")],
  [t("Tab, Shift+Tab"), t("move between controls")],
  [t("Enter or Space"), t("press the focused control")],
  ["Esc", t("close, or cancel a half-made choice")],
];

// `page` is the page shown: its `game`, if it is a table, and its `keys`.
export function showHelp(page, shell) {
  const keys = page?.keys ?? [];
  const game = (shell.catalogue ?? []).find((each) => each.name === page?.game);
  const rules = h("section", { class: "rules-card", "aria-label": game ? t("Rules of {title}", { title: game.title }) : t("Rules") });
  if (game) import("./rules_card.js").then((module) => module.fillCard(rules, game, page.rules), () => rules.remove());
  else rules.append(h("h3", {}, t("Rules")), h("div", { class: "row" }, (shell.catalogue ?? []).map((each) => button(each.title, () => { box.close(); showRules(each); }, { "aria-label": t("Rules of {title}", { title: each.title }) }))));
  const list = (pairs) => h("dl", { class: "keys" }, pairs.map(([key, text]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text))));
  const guides = guideChoices(shell, () => box.close());
  const box = dialog(
    t("Help"),
    (game || shell.catalogue?.length) && rules,
    guides.length > 0 && h("section", {}, h("h3", {}, t("Learn a game")), guides),
    keys.length > 0 && h("section", {}, h("h3", {}, t("At this table")), list(keys)),
    h("section", {}, h("h3", {}, t("Everywhere")), list(EVERYWHERE)),
  );
}

// The rules card of a game, in a dialog. `rules` are those of a table.
export async function showRules(game, rules) {
  try {
    (await import("./rules_card.js")).openCard(game, rules);
  } catch {
    toast(t("The rules could not be loaded. Check that the server is running, then try again."), "error");
  }
}
