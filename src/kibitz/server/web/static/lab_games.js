// @ts-check
// The games behind a figure of the laboratory, worst and best first; each opens as a replay.

import "./more_texts.js";
import { button, dialog, h, redraw, toast } from "./dom.js";
import { botTitle } from "./names.js";
import { language, t, tn } from "./texts.js";

// `about` is the title; a cell of a cross table has a row and a column.
export function showGames(shell, game, run, about, cell = {}) {
  const place = { run: run.run, row: cell.row ?? "", column: cell.column ?? "" };
  const content = h("div", { class: "lab-games", "aria-live": "polite" }, h("p", { class: "muted" }, t("Replaying the games …")));
  const box = dialog(about, content);
  list();

  async function list() {
    try {
      const found = await shell.connection.ask({ type: "lab_games", ...place }, true);
      const whose = botTitle(cell.row || run.agents[0], game.name);
      redraw(content,
        h("p", { class: "muted small" }, game.best
          ? t("The first {count} games, by points. Choose one to replay it with the bots' reasons.", { count: found.looked_through.toLocaleString(language) })
          : t("The first {count} games, by the result of {whose}. Choose one to replay it with the bots' reasons.", { count: found.looked_through.toLocaleString(language), whose })),
        column(t("Worst"), found.worst), column(t("Best"), found.best));
    } catch (error) {
      redraw(content, h("p", { class: "problem", role: "alert" }, error.message));
    }
  }

  const column = (title, games) => h("section", {}, h("h3", {}, title), h("ol", {}, games.map((each) => h("li", {}, line(each)))));

  function line(each) {
    const seats = each.seats.map((name) => botTitle(name, game.name));
    const same = new Set(seats).size === 1;
    const worth = game.best ? tn(each.value, "{n} point", "{n} points") : each.value === 1 ? t("won") : each.value === 0 ? t("lost") : t("shared");
    return button([h("strong", {}, worth), h("span", { class: "muted small" }, [t("game {n}", { n: each.number + 1 }), !same && seats.join(", ")].filter(Boolean).join(": "))], () => open(each));
  }

  async function open(each) {
    try {
      const opened = await shell.connection.ask({ type: "lab_open", ...place, match: each.match, number: each.number }, true);
      box.close();
      shell.go(`/table/${opened.table}/turn/0`);
    } catch (error) {
      toast(error.message, "error");
    }
  }
}
