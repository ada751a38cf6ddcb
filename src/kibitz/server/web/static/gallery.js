// @ts-check
// The gallery of agents: descriptions, origins, scores, and buttons to play with them.

import "./more_texts.js";
import { button, h, redraw } from "./dom.js";
import { botTitle, strengthSentence } from "./names.js";
import { createTable } from "./create_table.js";
import { setUpTable } from "./setup.js";
import { language, t } from "./texts.js";

// Traits in plain words.
const TRAITS = {
  cheats: [t("sees its own cards"), t("It sees hidden cards: a benchmark, not a fair player.")],
  random: [t("random"), t("It may decide differently in the same situation.")],
  remembers: [t("remembers"), t("It uses the course of the game, not only the current table.")],
  searches: [t("looks ahead"), t("It simulates how the game may continue before it decides.")],
};

// Strongest first; cheating agents last.
function ranked(agents) {
  const cheats = (agent) => (agent.traits ?? []).includes("cheats");
  const mean = (agent) => {
    const means = Object.values(agent.scores ?? {}).map((score) => score.mean);
    return means.length ? means.reduce((sum, each) => sum + each) / means.length : -1;
  };
  return [...agents].sort((one, other) => cheats(one) - cheats(other) || mean(other) - mean(one));
}

/** @param {HTMLElement} main @param {any} shell @param {string[]} words */
export function showGallery(main, shell, [wanted]) {
  const content = h("div", { class: "gallery" });
  main.append(h("div", { class: "page-head" }, h("h1", {}, t("Gallery")),
    h("p", { class: "muted" }, t("The bots you can play with, strongest first: how they play and how they score."))), content);

  function agentCard(game, agent) {
    const players = game.players.includes(3) ? 3 : game.players[0];
    const seats = Array.from({ length: players }, () => ({ kind: "bot", agent: agent.name }));
    return h("article", { class: "card agent" },
      h("h3", {}, agent.title),
      (agent.traits ?? []).length > 0 && h("p", { class: "traits" }, agent.traits.map((trait) => h("span", { class: "tag", title: TRAITS[trait]?.[1] }, TRAITS[trait]?.[0] ?? trait))),
      (agent.description ?? agent.summary).split("\n\n").map((part, index) => h("p", { class: index ? "muted small" : "" }, part.replaceAll("\n", " "))),
      scores(game, agent),
      h("p", { class: "origin muted small" }, agent.origin && `${agent.origin} · `, `${t("command-line name:")} `, h("code", {}, agent.name)),
      h("div", { class: "row" },
        button(t("Play with it"), () => setUpTable(shell, game, agent.name), { "aria-label": t("Play with {title}", { title: agent.title }) }),
        button(t("Watch it"), () => createTable(shell, { type: "create", game: game.name, seats, bot_delay: 1200 }), { "aria-label": t("Watch {title}", { title: agent.title }) })));
  }

  function scores(game, agent) {
    const measured = Object.entries(agent.scores ?? {});
    if (measured.length === 0) return null;
    const most = game.best ?? 1;
    return h("table", { class: "scores" }, h("caption", { class: "unseen" }, game.best ? t("Points of {title}", { title: agent.title }) : t("Wins of {title}", { title: agent.title })),
      h("tbody", {}, measured.map(([players, score]) => h("tr", { title: `${strengthSentence(agent, Number(players), game)} ${sure(score, game)}` },
        h("th", { scope: "row" }, t("{players} players", { players })),
        h("td", { class: "bar" }, h("span", { style: { "--share": `${(100 * score.mean) / most}%` } })),
        h("td", {}, game.best ? score.mean.toFixed(1) : `${Math.round(100 * score.mean)} %`)))));
  }

  const sure = ({ interval, games }, game) => {
    const [least, most] = interval.map((end) => (game.best ? end.toFixed(1) : Math.round(100 * end)));
    return t("Measured in {count} games; 95 % interval {least} to {most}.", { count: games.toLocaleString(language), least, most });
  };

  function explanation(game) {
    if (game.best) return t("Average points out of {best} when the same bot takes every seat. If the last life is lost, the cards played so far still count.", { best: game.best });
    const against = game.agents.flatMap((agent) => Object.values(agent.scores ?? {})).find((score) => score.against)?.against;
    if (!against) return "";
    return t("Percentage of games a bot wins against {bot} in all other seats; draws are shared. Equal players would win {shares}.", { bot: botTitle(against, game.name), shares: game.players.map((n) => t("{share} % with {n} players", { share: Math.round(100 / n), n })).join(", ") });
  }

  return {
    ready() {
      const game = shell.catalogue.find((each) => each.name === wanted) ?? shell.catalogue[0];
      redraw(content,
        h("div", { class: "segmented", role: "group", "aria-label": t("Game") }, shell.catalogue.map((each) =>
          h("a", { href: `#/gallery/${each.name}`, "aria-current": each === game ? "true" : null }, each.title))),
        h("p", { class: "muted explained" }, explanation(game)),
        h("div", { class: "agents" }, ranked(game.agents).map((agent) => agentCard(game, agent))));
    },
  };
}
