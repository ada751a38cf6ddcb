// @ts-check
// The gallery of agents: descriptions, origins, scores, and buttons to play with them.

import "./more_texts.js";
import { button, h, redraw } from "./dom.js";
import { botTitle, byLevel, strengthSentence } from "./names.js";
import { createTable } from "./create_table.js";
import { setUpTable } from "./setup.js";
import { language, localized, t, tn } from "./texts.js";

// Traits in plain words.
const TRAITS = {
  cheats: [t("sees its own cards"), t("It sees hidden cards: a benchmark, not a fair player.")],
  random: [t("random"), t("It may decide differently in the same situation.")],
  remembers: [t("remembers"), t("It uses the course of the game, not only the current table.")],
  searches: [t("looks ahead"), t("It simulates how the game may continue before it decides.")],
};

/** @param {HTMLElement} main @param {any} shell @param {string[]} words */
export function showGallery(main, shell, [wanted]) {
  const content = h("div", { class: "gallery" });
  main.append(h("div", { class: "page-head" }, h("h1", {}, t("Gallery")),
    h("p", { class: "muted" }, t("The bots you can play with: how they play and how they score."))), content);

  function agentCard(game, agent, level) {
    const players = game.players.includes(3) ? 3 : game.players[0];
    const seats = Array.from({ length: players }, () => ({ kind: "bot", agent: agent.name }));
    return h("article", { class: "card agent" },
      h("h3", {}, agent.title),
      (level || (agent.traits ?? []).length > 0) && h("p", { class: "traits" }, level && h("span", { class: "tag level" }, t("level: {level}", { level: localized(level) })), agent.traits.map((trait) => h("span", { class: "tag", title: TRAITS[trait]?.[1] }, TRAITS[trait]?.[0] ?? trait))),
      (agent.description ?? agent.summary).split("\n\n").map((part, index) => h("p", { class: index ? "muted small" : "" }, part.replaceAll("\n", " "))),
      scores(game, agent),
      h("p", { class: "origin muted small" }, agent.origin && `${agent.origin} · `, `${t("command-line name:")} `, h("code", {}, agent.name)),
      h("div", { class: "row" },
        button(t("Play with it"), () => setUpTable(shell, game, agent.name), { "aria-label": t("Play with {title}", { title: agent.title }) }),
        button(t("Watch it"), () => createTable(shell, { type: "create", game: game.name, seats, bot_delay: 1200 }), { "aria-label": t("Watch {title}", { title: agent.title }) })));
  }

  function scores(game, agent) {
    const caption = game.best ? t("Points of {title}", { title: agent.title }) : t("Wins of {title}", { title: agent.title });
    const alone = bars(game, agent, agent.scores, caption);
    if (!agent.people?.[game.players[0]]) return alone;
    return [h("h4", {}, t("With people")), bars(game, agent, agent.people, t("Points of {title} with people", { title: agent.title })),
      alone && h("details", {}, h("summary", { class: "small" }, t("With copies of itself")), alone)];
  }

  function bars(game, agent, scores, caption) {
    const measured = Object.entries(scores ?? {});
    if (measured.length === 0) return null;
    const most = game.best ?? 1;
    return h("table", { class: "scores" }, h("caption", { class: "unseen" }, caption),
      h("tbody", {}, measured.map(([players, score]) => h("tr", { title: `${strengthSentence({ ...agent, [scores === agent.people ? "scores" : "people"]: null }, Number(players), game)} ${sure(score, game)}` },
        h("th", { scope: "row" }, t("{players} players", { players })),
        h("td", { class: "bar" }, h("span", { style: { "--share": `${(100 * score.mean) / most}%` } })),
        h("td", {}, game.best ? score.mean.toFixed(1) : `${Math.round(100 * score.mean)} %`)))));
  }

  const sure = ({ interval, games }, game) => {
    const [least, most] = interval.map((end) => (game.best ? end.toFixed(1) : Math.round(100 * end)));
    return t("Measured in {count} games; 95 % interval {least} to {most}.", { count: games.toLocaleString(language), least, most });
  };

  function explanation(game) {
    if (game.agents.some((agent) => agent.people?.[game.players[0]])) return t("Average points out of {best}. With people: a model of real people sits in one seat and the bot in all others, and a lost game scores 0. With copies of itself, the cards of a lost game still count.", { best: game.best });
    if (game.best) return t("Average points out of {best} when the same bot takes every seat. If the last life is lost, the cards played so far still count.", { best: game.best });
    const against = game.agents.flatMap((agent) => Object.values(agent.scores ?? {})).find((score) => score.against)?.against;
    if (!against) return "";
    return t("Percentage of games a bot wins against {bot} in all other seats; draws are shared. Equal players would win {shares}.", { bot: botTitle(against, game.name), shares: game.players.map((n) => t("{share} % with {n} players", { share: Math.round(100 / n), n })).join(", ") });
  }

  return {
    ready() {
      const game = shell.catalogue.find((each) => each.name === wanted) ?? shell.catalogue[0];
      const { levels, others, levelOf } = byLevel(game);
      const cards = others.map((agent) => ({ agent, card: agentCard(game, agent) }));
      const none = h("p", { class: "muted", hidden: true }, t("No bot matches."));
      // A search opens the others and looks at all that their cards say.
      const search = h("input", { type: "search", placeholder: t("Find a bot"), "aria-label": t("Find a bot"), oninput: () => {
        const wanted = search.value.trim().toLowerCase();
        for (const { card } of cards) card.hidden = !card.textContent.toLowerCase().includes(wanted);
        none.hidden = cards.some(({ card }) => !card.hidden);
        if (wanted) more.open = true;
      } });
      const more = h("details", { class: "more-agents", open: levels.length === 0 }, h("summary", {}, h("h2", {}, tn(others.length, "{n} other bot", "{n} other bots"))),
        h("div", { class: "agents" }, cards.map(({ card }) => card)), none);
      redraw(content,
        h("div", { class: "segmented", role: "group", "aria-label": t("Game") }, shell.catalogue.map((each) =>
          h("a", { href: `#/gallery/${each.name}`, "aria-current": each === game ? "true" : null }, each.title))),
        h("p", { class: "muted explained" }, explanation(game)),
        levels.length > 0 && [h("h2", {}, t("Levels")), h("div", { class: "agents" }, levels.map((agent) => agentCard(game, agent, levelOf(agent))))],
        others.length > 0 && [h("div", { class: "row find-bot" }, search), more]);
    },
  };
}
