// @ts-check
// The rules card of a game, on one screen. A game defines its own in rules.js of its page folder.

import "./more_texts.js";
import { dialog, h, redraw } from "./dom.js";
import { houseRules } from "./names.js";
import { loadTexts, t } from "./texts.js";

// Fill a section with the rules of a game. `rules` are those of a table.
export async function fillCard(section, game, rules) {
  redraw(section, h("h3", {}, t("Rules of {title}", { title: game.title })), await content(game, rules, "h4"));
}

export async function openCard(game, rules) {
  const parts = await content(game, rules, "h3");
  dialog(t("Rules of {title}", { title: game.title }), h("div", { class: "rules-card" }, parts));
}

async function content(game, rules, heading) {
  await loadTexts(game.name);
  const card = game.rules_card ? (await import(`/games/${encodeURIComponent(game.name)}/rules.js`)).CARD : [["", [game.description]]];
  const house = houseRules(game, rules).map(({ title, choice, about }) => [`${title}: ${choice}.`, about].filter(Boolean).join(" "));
  return [...card, ...(house.length ? [[t("At this table"), house]] : [])].map(([title, lines]) => h("div", {},
    title && h(heading, {}, title),
    lines.length > 1 ? h("ul", {}, lines.map((line) => h("li", {}, line))) : h("p", {}, lines)));
}
