// The gallery of agents: what each does, where it comes from, how it scores, and a seat beside it.

import { button, h, redraw } from "./dom.js";
import { sentCreate, setUpTable } from "./setup.js";

export function showGallery(main, shell, [wanted]) {
  const content = h("div", { class: "gallery" });
  main.append(h("div", { class: "page-head" }, h("h1", {}, "The players"),
    h("p", { class: "muted" }, "Means of measured games in which every seat was the same agent, by the number of players.")), content);

  function agentCard(game, agent) {
    const players = game.players.includes(3) ? 3 : game.players[0];
    const seats = Array.from({ length: players }, () => ({ kind: "bot", agent: agent.name }));
    return h("article", { class: "card agent" },
      h("h3", {}, agent.name),
      (agent.traits ?? []).length > 0 && h("p", { class: "traits" }, agent.traits.map((trait) => h("span", { class: "tag" }, trait))),
      (agent.description ?? agent.summary).split("\n\n").map((part, index) => h("p", { class: index ? "muted small" : "" }, part.replaceAll("\n", " "))),
      scores(game, agent),
      agent.origin && h("p", { class: "origin muted small" }, agent.origin),
      h("div", { class: "row" },
        button("Play with it", () => setUpTable(shell, game, agent.name), { "aria-label": `Play with ${agent.name}` }),
        button("Watch it", () => sentCreate(shell, { type: "create", game: game.name, seats, pace: 1200 }), { "aria-label": `Watch ${agent.name}` })));
  }

  function scores(game, agent) {
    const measured = Object.entries(agent.scores ?? {});
    if (measured.length === 0) return null;
    const most = game.best ?? Math.max(...measured.map(([, score]) => score.mean));
    return h("table", { class: "scores" }, h("caption", { class: "unseen" }, `Mean scores of ${agent.name}`),
      h("tbody", {}, measured.map(([players, score]) => h("tr", {},
        h("th", { scope: "row" }, `${players} players`),
        h("td", { class: "bar" }, h("span", { style: { "--share": `${(100 * score.mean) / most}%` } })),
        h("td", { title: `95 %: ${score.interval.map((end) => end.toFixed(2)).join(" to ")}, ${score.games} games` }, score.mean.toFixed(2))))));
  }

  return {
    ready() {
      const game = shell.catalogue.find((each) => each.name === wanted) ?? shell.catalogue[0];
      redraw(content,
        h("div", { class: "segmented", role: "group", "aria-label": "Game" }, shell.catalogue.map((each) =>
          h("a", { href: `#/gallery/${each.name}`, "aria-current": each === game ? "true" : null }, each.title))),
        h("div", { class: "agents" }, game.agents.map((agent) => agentCard(game, agent))));
    },
  };
}
