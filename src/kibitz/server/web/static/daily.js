// @ts-check
// The deal of the day: everybody plays the same cards; then the results of others and of bots, and how hard it was.

import { button, h, redraw, styleSheet, toast } from "./dom.js";
import { askOwn, hardness } from "./coach.js";
import * as storage from "./storage.js";
import { language, listed, localized, t, tn } from "./texts.js";

styleSheet("/static/review.css");

export function showDaily(main, shell, words) {
  const name = words[0] ?? "hanabi";
  const card = h("section", { class: "card review-turn", "aria-label": t("The daily deal") });
  const results = h("div", { class: "progress-parts" });
  let deal = null;
  main.append(h("header", { class: "row review-head" }, h("h1", {}, t("The daily deal"))), card, results);
  redraw(card, h("p", { class: "muted", role: "status" }, t("Loading …")));

  async function load() {
    try {
      if (!storage.choice("visitor", "")) await askOwn(shell, { type: "progress" }); // so that the first game counts
      deal = await askOwn(shell, { type: "daily", game: name });
      draw();
    } catch (error) {
      if (error.code !== "broken") redraw(card, h("p", { role: "alert" }, localized(error.message)), h("a", { class: "button", href: "#/" }, t("Back to the lobby")));
    }
  }

  async function play() {
    try {
      const seat = await askOwn(shell, { type: "play_daily", game: name });
      storage.setSeat(seat.table, { token: seat.token, seat: seat.seat, invitations: seat.invitations });
      shell.go(`/table/${seat.table}`);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  function draw() {
    const game = shell.catalogue?.find((each) => each.name === deal.game);
    const day = new Date(`${deal.day}T00:00:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
    redraw(card,
      h("h2", {}, `${game?.title ?? deal.game} · ${day}`),
      h("p", {}, t("{n} players: you and strong bots, with the same cards for everybody. Your first game counts, without advice; later ones are practice.", { n: deal.players })),
      h("p", { class: "muted" }, tn(deal.attempts, "{n} person has sat down on this server", "{n} people have sat down on this server"), ", ", t("{n} have finished.", { n: deal.finished })),
      h("div", { class: "row" },
        deal.mine && !deal.played ? h("a", { class: "button", href: `#/table/${deal.mine}`, "data-key": "resume" }, t("Resume your game"))
          : button(deal.played ? t("Play it again, as practice") : t("Play now"), play, { class: deal.played ? "" : "primary", "data-key": "play" }),
        deal.played && h("a", { class: "button", href: `#/review/${deal.mine}` }, t("Review my game"))),
      !deal.played && h("p", { class: "muted small" }, t("The results of others and of bots, and how hard the deal is, are shown when you have played it.")));
    redraw(results, deal.played && [
      deal.percentile !== undefined && h("section", { class: "card" }, h("h2", {}, t("How hard was it?")), h("p", {}, hardness(deal))),
      h("section", { class: "card" }, h("h2", {}, t("On this server")), h("ol", { class: "decisions" }, deal.results.map((each) => h("li", {}, h("a", { class: "button decision", href: `#/review/${each.table}`, "aria-current": each.mine ? "true" : null },
        h("strong", {}, each.points), h("span", { class: "what" }, each.name || t("a visitor"), each.mine && ` (${t("you")})`), each.undo > 0 && h("span", { class: "tag" }, t("With undo")), each.bot && h("span", { class: "tag" }, t("With a bot's help"))))))),
      deal.bots?.length && h("section", { class: "card" }, h("h2", {}, t("Bots in every seat")), h("ul", { class: "bot-results" }, deal.bots.map((bot) => h("li", {}, h("strong", {}, bot.points), ` ${bot.title}`))), h("p", { class: "muted small" }, comparison()))]);
  }

  // "You were better than A and B."
  function comparison() {
    const mine = deal.results.find((each) => each.mine)?.points;
    const worse = deal.bots.filter((bot) => bot.points < mine).map((bot) => bot.title);
    return mine === undefined ? "" : worse.length ? t("You got more points than {bots}.", { bots: listed(worse) }) : t("No bot got fewer points than you.");
  }

  return { ready: load };
}
