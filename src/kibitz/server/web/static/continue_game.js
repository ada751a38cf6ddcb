// @ts-check
// The visitor's unfinished games, at the top of the lobby.

import "./more_texts.js";
import { h, redraw } from "./dom.js";
import { myGames } from "./my_games.js";
import { ago, seatNames } from "./seat_names.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const SHOWN = 3;
const EVERY = 30000; // milliseconds between updates

export function continueGame(shell) {
  const element = h("section", { class: "continue", "aria-labelledby": "continue-title", hidden: true });
  const mine = myGames(shell, draw, { every: EVERY, quiet: true });

  const others = (each) => seatNames(each.seats).filter((_, seat) => seat !== storage.seat(each.table)?.seat).join(", ");
  const isMyTurn = (each) => each.to_move !== undefined && each.to_move === storage.seat(each.table)?.seat;

  function draw() {
    const unfinished = (mine.rows ?? []).filter((each) => !each.gone && ["running", "waiting"].includes(each.state))
      .sort((one, other) => Number(isMyTurn(other)) - Number(isMyTurn(one))); // otherwise newest first
    element.hidden = unfinished.length === 0;
    redraw(element,
      h("h2", { id: "continue-title" }, unfinished.length > 1 ? t("Continue your games") : t("Continue your game")),
      h("ul", {}, unfinished.slice(0, SHOWN).map((each) => h("li", {},
        h("a", { href: `#/table/${each.table}`, "data-key": `continue-${each.table}` },
          h("strong", {}, each.title), h("span", { class: "names" }, others(each)),
          h("span", { class: "state" }, mine.state(each)), h("span", { class: "when" }, ago(each.created)),
          h("span", { class: "verb" }, t("Continue")))))),
      unfinished.length > SHOWN && h("p", { class: "muted small" }, t("{n} more under “My games” below.", { n: unfinished.length - SHOWN })));
  }

  return { element, show: mine.show };
}
