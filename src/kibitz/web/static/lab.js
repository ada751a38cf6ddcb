// The laboratory: matches and cross tables that run on the server, their progress, and what came out.

import { button, field, h, options, redraw, svg, toast } from "./dom.js";
import { ago } from "./people.js";
import * as keep from "./keep.js";

// figures that stand somewhere else, or say what the head of a run says
const SHOWN_ELSEWHERE = ["mean", "interval", "std", "stderr", "perfect", "lost", "histogram", "game", "seed"];

export function showLab(main, shell) {
  const form = h("form", { class: "card lab-form", onsubmit: start });
  const list = h("section", { class: "runs", "aria-label": "Runs" });
  let runs = [];
  let parts = null;
  main.append(h("div", { class: "page-head" }, h("h1", {}, "The laboratory"), h("p", { class: "muted" }, "Let agents play thousands of games and see how they score.")), form, list);

  function drawForm(gameName) {
    const game = shell.catalogue.find((each) => each.name === gameName) ?? shell.catalogue[0];
    const games = options(h("select", { onchange: () => drawForm(games.value), "data-key": "game" }), shell.catalogue.map((each) => [each.name, each.title]), game.name);
    const what = options(h("select", { onchange: kinds }), [["match", "match"], ["cross", "cross table"]], "match");
    const players = options(h("select", {}), game.players.map((n) => [n, n]), game.players.includes(4) ? 4 : game.players[0]);
    const number = h("input", { type: "number", min: 1, max: 1000000, step: 1, value: 1000 });
    const seed = h("input", { type: "number", min: 0, step: 1, value: 0 });
    const agents = game.agents.map((agent) => ({ agent, box: h("input", { type: "checkbox", value: agent.name }) }));
    const first = agents.find(({ agent }) => agent.name === game.levels.at(-1)?.agents[0]) ?? agents[0];
    if (first) first.box.checked = true;
    const hint = h("p", { class: "muted small" });
    function kinds() {
      hint.textContent = what.value === "match" ? "Choose one agent for all seats, or as many as there are seats." : "Choose two or more; so many games are played for every pair.";
    }
    kinds();
    parts = { game, what, players, number, seed, agents };
    redraw(form,
      h("div", { class: "row fields" }, field("Game", games), field("What", what), field("Seats", players), field("Games", number), field("Seed", seed)),
      h("fieldset", {}, h("legend", {}, "Agents"), hint, h("div", { class: "checks" }, agents.map(({ agent, box }) => h("label", { class: "check", title: agent.summary }, box, " ", agent.name)))),
      h("div", { class: "row end" }, h("button", { type: "submit", class: "primary" }, "Start")));
  }

  async function start(event) {
    event.preventDefault();
    const chosen = parts.agents.filter(({ box }) => box.checked).map(({ agent }) => agent.name);
    if (chosen.length === 0) return toast("Choose an agent first.", "error");
    try {
      const started = await shell.connection.ask({
        type: "lab_start", what: parts.what.value, game: parts.game.name, agents: chosen,
        players: Number(parts.players.value), games: Number(parts.number.value), seed: Number(parts.seed.value),
      });
      keep.setRun(started.run, started.token);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  function runCard(run) {
    const busy = run.state === "running" || run.state === "queued";
    const title = shell.catalogue.find((each) => each.name === run.game)?.title ?? run.game;
    return h("article", { class: `card run ${run.state}` },
      h("header", { class: "row" },
        h("h2", {}, run.what === "cross" ? `Cross table of ${run.agents.length} agents` : run.agents.join(", ")),
        h("span", { class: "tag" }, run.state),
        h("span", { class: "grow" }),
        h("span", { class: "muted small" }, `${title}, ${run.players} players, ${run.games} games, seed ${run.seed} · ${ago(run.created)}`)),
      (busy || run.state === "cancelled") && h("div", { class: "row" },
        h("progress", { max: run.total || 1, value: run.done ?? 0, "aria-label": `Progress of ${run.agents.join(", ")}` }),
        h("span", { class: "small" }, `${run.done ?? 0} of ${run.total}`),
        keep.run(run.run) && (busy ? button("Stop", () => shell.connection.tell({ type: "lab_cancel", run: run.run, token: keep.run(run.run) }), { "data-key": `stop-${run.run}` })
          : button("Go on", () => shell.connection.tell({ type: "lab_resume", run: run.run, token: keep.run(run.run) }), { "data-key": `go-${run.run}` }))),
      run.error && h("p", { class: "trouble" }, run.error),
      run.summary && summary(run),
      run.cells && crossTable(run),
      (run.files ?? []).length > 0 && h("p", { class: "files small" }, "Saved: ", run.files.map((file) => [h("a", { href: file, download: "" }, file.split("/").at(-1)), " "])));
  }

  const two = (x) => (typeof x === "number" ? x.toFixed(2) : "–");

  function summary(run) {
    const { mean, interval, std, perfect, lost, histogram } = run.summary;
    const figures = [
      mean !== undefined && ["mean", `${two(mean)}${interval ? ` (${two(interval[0])} to ${two(interval[1])})` : ""}`],
      std !== undefined && ["deviation", two(std)], perfect !== undefined && ["perfect", perfect], lost !== undefined && ["lost", lost],
      ...Object.entries(run.summary).filter(([name, value]) => !SHOWN_ELSEWHERE.includes(name) && typeof value !== "object").map(([name, value]) => [name, Number.isInteger(value) ? value : typeof value === "number" ? two(value) : value]),
    ].filter(Boolean);
    return h("div", { class: "summary" }, h("dl", { class: "figures" }, figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      Array.isArray(histogram) && histogram.length > 1 && bars(histogram));
  }

  function bars(histogram) {
    const most = Math.max(...histogram, 1);
    const width = 12;
    return svg("svg", { viewBox: `0 0 ${histogram.length * width} 78`, class: "histogram", role: "img", "aria-label": `Scores: ${histogram.map((n, score) => n ? `${score}: ${n}` : "").filter(Boolean).join(", ")}` },
      histogram.map((n, score) => [
        svg("rect", { x: score * width + 1, width: width - 2, y: 64 - (62 * n) / most, height: (62 * n) / most, rx: 1 }, svg("title", {}, `${score}: ${n}`)),
        score % 5 === 0 && svg("text", { x: score * width + width / 2, y: 75, "text-anchor": "middle" }, score),
      ]));
  }

  function crossTable(run) {
    const rows = run.agents;
    const cell = (row, column) => run.cells.find((each) => each.row === row && each.column === column);
    const means = run.cells.map((each) => each.mean).filter((x) => typeof x === "number");
    const [least, most] = [Math.min(...means), Math.max(...means)];
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table" }, h("table", { class: "cross" },
      h("thead", {}, h("tr", {}, h("td", {}), rows.map((column) => h("th", { scope: "col" }, column)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row), rows.map((column) => {
        const found = cell(row, column);
        const share = found && most > least ? (found.mean - least) / (most - least) : 0;
        return h("td", { style: { "--share": `${Math.round(share * 70)}%` }, title: found?.interval ? `${two(found.interval[0])} to ${two(found.interval[1])}` : "" }, found ? two(found.mean) : "");
      }))))));
  }

  return {
    ready() {
      if (!parts) drawForm();
      shell.connection.tell({ type: "lab", on: true });
    },
    hear(message) {
      if (message.type === "lab_started") return true;
      if (message.type !== "runs") return false;
      runs = message.runs ?? [];
      redraw(list, runs.length ? runs.map(runCard) : h("p", { class: "muted" }, "No runs yet."));
      return true;
    },
    leave: () => shell.connection.ready && shell.connection.tell({ type: "lab", on: false }),
  };
}
