// @ts-check
// My games: the tables for which this browser holds a key, to resume, delete or forget.

import "./more_texts.js";
import { button, h, toast } from "./dom.js";
import { stateWords } from "./names.js";
import { seatNames } from "./seat_names.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const AGAIN = 10000; // milliseconds between updates

// `every` is the time between updates in milliseconds; a `quiet` list reports no errors.
export function myGames(shell, draw, { every = AGAIN, quiet = false } = {}) {
  let looking = null;
  let wanted = { page: 0, search: "" };
  let sure = null; // the action awaiting confirmation
  const games = { rows: null, page: 0, pages: 1, show, state, buttons };

  function show(on, page = 0, search = "") {
    clearInterval(looking);
    looking = null;
    if (!on) return;
    wanted = { page, search };
    looking = setInterval(() => document.visibilityState === "visible" && ask(), every);
    ask();
  }

  async function ask() {
    const tables = storage.seats().map(([table]) => table);
    const question = wanted;
    try {
      const answer = await shell.connection.ask({ type: "my_games", tables, ...question }, true);
      if (question !== wanted || !looking) return;
      const gone = question.search ? [] : answer.missing.map((table) => ({ table, gone: true, title: table, state: "finished", seats: [] }));
      Object.assign(games, { rows: [...answer.tables, ...(answer.page + 1 === answer.pages ? gone : [])], page: answer.page, pages: answer.pages });
      draw();
    } catch (error) {
      if (error.code !== "broken" && !quiet) toast(error.message, "error");
    }
  }

  // The state of a game in words.
  function state(each) {
    if (each.gone) return t("no longer exists");
    if (each.state !== "running") return each.state === "abandoned" ? t("unfinished") : stateWords(each.state);
    const seat = each.seats[each.to_move];
    const move = each.turn === undefined ? stateWords("running") : t("turn {n}", { n: each.turn + 1 });
    if (!seat) return move;
    if (each.to_move === storage.seat(each.table)?.seat && seat.kind === "person") return h("span", { class: "yours" }, t("your turn · {move}", { move }));
    return `${seatNames(each.seats)[each.to_move]} · ${move}`;
  }

  // Confirm before something is lost.
  function twice(each, what, words, act) {
    const key = `${what}-${each.table}`;
    const ask = () => {
      sure = key;
      draw();
    };
    const name = `${each.title} ${seatNames(each.seats).join(", ")}`;
    return sure === key
      ? button(words, act, { class: "danger", "data-key": key, "aria-label": `${words} ${name}` })
      : button(`${what} …`, ask, { "data-key": key, "aria-label": `${what} ${name}` });
  }

  function buttons(each) {
    const held = storage.seat(each.table) ?? {};
    const next = each.rematch;
    return [
      next && held.stays !== next.table && !storage.seat(next.table) && button(t("Join the rematch"), () => come(each), {
        class: "primary", "data-key": `come-${each.table}`, title: t("{by} wants to play again", { by: next.by }), "aria-label": t("Join the rematch of {title} with {by}", { title: each.title, by: next.by }),
      }),
      each.state === "finished" && shell.catalogue?.find((game) => game.name === each.game)?.reviewed && button(t("Review"), () => shell.go(`/review/${each.table}`), { "data-key": `review-${each.table}`, "aria-label": t("Review of {title} with {names}", { title: each.title, names: seatNames(each.seats).join(", ") }) }),
      held.host && !each.gone
        ? twice(each, t("Delete"), t("Delete for good"), () => remove(each))
        : twice(each, t("Forget"), each.gone ? t("Remove from list") : t("Forget my seat"), () => forget(each.table)),
    ];
  }

  async function come({ table, rematch }) {
    try {
      const seat = await shell.connection.ask({ type: "rematch", table, token: storage.seat(table).token, answer: "accept" }, true);
      storage.setSeat(seat.table, { token: seat.token, seat: seat.seat, host: seat.host });
      shell.go(`/table/${seat.table}`);
    } catch (error) {
      if (error.code === "over" || error.code === "not_yours") storage.setSeat(table, { stays: rematch.table });
      toast(error.message, "error");
      draw();
    }
  }

  async function remove({ table }) {
    sure = null;
    try {
      await shell.connection.ask({ type: "delete", table, token: storage.seat(table).token }, true);
      forget(table);
    } catch (error) {
      toast(error.message, "error");
      draw();
    }
  }

  function forget(table) {
    sure = null;
    storage.forgetSeat(table);
    ask();
  }

  return games;
}
