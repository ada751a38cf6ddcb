// The gallery of agents: what each does, where it comes from, how it scores, and a seat beside it.

import { button, h, redraw } from "./dom.js";
import { botTitle, inWords, strengthSentence } from "./names.js";
import { sentCreate, setUpTable } from "./setup.js";

// What an agent is like, in plain words.
const TRAITS = {
  cheats: ["looks at its own cards", "It sees what it may not see: a yardstick, and no fair player."],
  random: ["rolls dice", "It may decide differently when it sees the same."],
  remembers: ["remembers", "It keeps in mind what happened, not only how the table looks now."],
  searches: ["looks ahead", "It plays on in its head before it decides."],
};

// The strongest first; those who look at their own cards last.
function ranked(agents) {
  const cheats = (agent) => (agent.traits ?? []).includes("cheats");
  const mean = (agent) => {
    const means = Object.values(agent.scores ?? {}).map((score) => score.mean);
    return means.length ? means.reduce((sum, each) => sum + each) / means.length : -1;
  };
  return [...agents].sort((one, other) => cheats(one) - cheats(other) || mean(other) - mean(one));
}

export function showGallery(main, shell, [wanted]) {
  const content = h("div", { class: "gallery" });
  main.append(h("div", { class: "page-head" }, h("h1", {}, "The players"),
    h("p", { class: "muted" }, "The bots you can play with, how each of them plays, and how strong it is. The strongest come first.")), content);

  function agentCard(game, agent) {
    const players = game.players.includes(3) ? 3 : game.players[0];
    const seats = Array.from({ length: players }, () => ({ kind: "bot", agent: agent.name }));
    return h("article", { class: "card agent" },
      h("h3", {}, agent.title),
      (agent.traits ?? []).length > 0 && h("p", { class: "traits" }, agent.traits.map((trait) => h("span", { class: "tag", title: TRAITS[trait]?.[1] }, TRAITS[trait]?.[0] ?? trait))),
      (agent.description ?? agent.summary).split("\n\n").map((part, index) => h("p", { class: index ? "muted small" : "" }, part.replaceAll("\n", " "))),
      scores(game, agent),
      h("p", { class: "origin muted small" }, agent.origin && `${agent.origin} · `, "in commands: ", h("code", {}, agent.name)),
      h("div", { class: "row" },
        button("Play with it", () => setUpTable(shell, game, agent.name), { "aria-label": `Play with ${agent.title}` }),
        button("Watch it", () => sentCreate(shell, { type: "create", game: game.name, seats, bot_delay: 1200 }), { "aria-label": `Watch ${agent.title}` })));
  }

  function scores(game, agent) {
    const measured = Object.entries(agent.scores ?? {});
    if (measured.length === 0) return null;
    const most = game.best ?? 1;
    return h("table", { class: "scores" }, h("caption", { class: "unseen" }, `${game.best ? "Points" : "Wins"} of ${agent.title}`),
      h("tbody", {}, measured.map(([players, score]) => h("tr", { title: `${strengthSentence(agent, Number(players), game)} ${sure(score, game)}` },
        h("th", { scope: "row" }, `${players} players`),
        h("td", { class: "bar" }, h("span", { style: { "--share": `${(100 * score.mean) / most}%` } })),
        h("td", {}, game.best ? score.mean.toFixed(1) : `${Math.round(100 * score.mean)} of 100`)))));
  }

  const sure = ({ interval, games }, game) => {
    const [least, most] = interval.map((end) => (game.best ? end.toFixed(1) : Math.round(100 * end)));
    return `Of ${games.toLocaleString("en")} measured games; with so many, the true figure is most likely between ${least} and ${most}.`;
  };

  function explanation(game) {
    if (game.best) return `Points out of ${game.best}, on average, at a table where every seat is the same player. A game that loses its last life counts what was built.`;
    const against = game.agents.flatMap((agent) => Object.values(agent.scores ?? {})).find((score) => score.against)?.against;
    if (!against) return "";
    return `How many of 100 a player wins against ${botTitle(against, game.name)} in all other seats, by the usual rules of a match; draws are shared. Equal players would win ${game.players.map((n) => `${Math.round(100 / n)} at a table of ${inWords(n)}`).join(", ")}.`;
  }

  return {
    ready() {
      const game = shell.catalogue.find((each) => each.name === wanted) ?? shell.catalogue[0];
      redraw(content,
        h("div", { class: "segmented", role: "group", "aria-label": "Game" }, shell.catalogue.map((each) =>
          h("a", { href: `#/gallery/${each.name}`, "aria-current": each === game ? "true" : null }, each.title))),
        h("p", { class: "muted explained" }, explanation(game)),
        h("div", { class: "agents" }, ranked(game.agents).map((agent) => agentCard(game, agent))));
    },
  };
}
