// @ts-check
// The laboratory: matches and cross tables that run on the server, with progress and results.

import "./more_texts.js";
import { button, reducedMotion, field, h, options, redraw, svg, toast } from "./dom.js";
import { showGames } from "./lab_games.js";
import { duration } from "./clock.js";
import { botTitle, levelAgents, houseRules, ruleFields, stateWords } from "./names.js";
import { ago } from "./seat_names.js";
import * as storage from "./storage.js";
import { language, t, tn } from "./texts.js";

const KINDS = [["match", t("One bot in every seat")], ["mixed", t("Mixed table")], ["cross", t("Cross table")]];
const HINTS = {
  match: t("Copies of one bot take all seats."),
  mixed: t("Choose a bot for each seat; a bot may take several."),
  cross: t("Choose two or more. Every bot plays with every other; the number of games is per pair."),
};

const count = (number) => number.toLocaleString(language);

// How long a run still waits, as far as the server knows.
function waitWords({ place, seconds_left: seconds }) {
  if (place) return place === 1 ? t("next in the queue") : t("number {n} in the queue", { n: place });
  if (seconds === undefined) return "";
  return t("about {time} left", { time: duration(Math.max(seconds, 1)) });
}

export function showLab(main, shell, words = []) {
  const form = h("form", { class: "card lab-form", onsubmit: start });
  const list = h("section", { class: "runs", "aria-label": t("Runs") });
  let runs = [];
  let parts = null;
  const maps = h("div", { class: "maps" });
  const head = h("div", { class: "page-head" }, h("h1", {}, t("Laboratory")), h("p", { class: "muted" }, t("Let bots play thousands of games, compare them, and replay their games.")));
  main.append(head, form, list, maps);

  function drawForm(gameName) {
    const game = shell.catalogue.find((each) => each.name === gameName) ?? shell.catalogue[0];
    const games = options(h("select", { onchange: () => drawForm(games.value), "data-key": "game" }), shell.catalogue.map((each) => [each.name, each.title]), game.name);
    const what = options(h("select", { onchange: drawWho }), KINDS, "match");
    const players = options(h("select", { onchange: drawWho }), game.players.map((n) => [n, n]), game.players.includes(4) ? 4 : game.players[0]);
    const number = h("input", { type: "number", min: 1, max: 1000000, step: 1, value: 1000 });
    const seed = h("input", { type: "number", min: 0, step: 1, value: 0 });
    // Thousands of games: by default with the strongest level that does not search
    const quick = game.levels.toReversed().flatMap((level) => levelAgents(level, Number(players.value)))
      .find((name) => game.agents.some((agent) => agent.name === name && !agent.traits.includes("searches")));
    const usual = quick ?? game.agents[0]?.name;
    const list = () => options(h("select", { class: "bot" }), game.agents.map((agent) => [agent.name, agent.title]), usual);
    const everywhere = list();
    const seats = Array.from({ length: game.players.at(-1) }, list);
    const boxes = game.agents.map((agent) => ({ agent, box: h("input", { type: "checkbox", value: agent.name, checked: agent.name === usual }) }));
    const rules = ruleFields(game, (rule) => rule.usual, field);
    const who = h("fieldset", {});
    function drawWho() {
      const count = Number(players.value);
      redraw(who, h("legend", {}, t("Bots")), h("p", { class: "muted small" }, HINTS[what.value]), {
        match: () => field(t("Bot"), everywhere),
        mixed: () => h("div", { class: "row fields" }, seats.slice(0, count).map((select, seat) => field(t("Seat {n}", { n: seat + 1 }), select))),
        cross: () => h("div", { class: "checks" }, boxes.map(({ agent, box }) => h("label", { class: "check", title: agent.summary }, box, " ", agent.title))),
      }[what.value]());
    }
    drawWho();
    parts = {
      game, what, players, number, seed, rules,
      chosen: () => ({
        match: () => [everywhere.value],
        mixed: () => seats.slice(0, Number(players.value)).map((select) => select.value),
        cross: () => boxes.filter(({ box }) => box.checked).map(({ agent }) => agent.name),
      })[what.value](),
    };
    redraw(form,
      h("div", { class: "row fields" }, field(t("Game"), games), field(t("Type"), what), field(t("Players"), players), field(t("Games"), number), field(t("Seed"), seed)),
      who,
      game.rules.length > 0 && h("details", {}, h("summary", {}, t("Rules")), rules.rows),
      h("div", { class: "row end" }, h("button", { type: "submit", class: "primary" }, t("Start"))));
  }

  async function start(event) {
    event.preventDefault();
    const chosen = parts.chosen();
    if (parts.what.value === "cross" && chosen.length < 2) return toast(t("Choose at least two bots for a cross table."), "error");
    try {
      const started = await shell.connection.ask({
        type: "lab_start", what: parts.what.value === "cross" ? "cross" : "match", rules: parts.rules.read(), game: parts.game.name, agents: chosen,
        players: Number(parts.players.value), games: Number(parts.number.value), seed: Number(parts.seed.value),
      });
      storage.setRun(started.run, started.token);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  // Maps of elites are loaded after the rest of the page.
  async function drawMaps() {
    for (const game of shell.catalogue.filter((each) => each.elites)) {
      try {
        const { eliteMap } = await import("./elites.js");
        const map = await eliteMap(shell, game);
        maps.append(map);
        head.append(button(t("Map of playing styles in {title} ↓", { title: game.title }), () => toMap(map)));
        if (words[0] === "elites") toMap(map);
      } catch {
        maps.append(h("p", { class: "muted small" }, t("The map of playing styles in {title} could not be loaded. Reload the page to try again.", { title: game.title })));
      }
    }
  }

  function toMap(map) {
    map.scrollIntoView({ behavior: reducedMotion() ? "auto" : "smooth" });
    map.querySelector("[tabindex='0'][data-cell]").focus({ preventScroll: true });
  }

  const gameOf = (run) => shell.catalogue.find((each) => each.name === run.game);
  const whoPlays = (run) => [...new Set(run.agents)].map((name) => {
    const often = run.agents.filter((each) => each === name).length;
    return (often > 1 ? `${often} × ` : "") + botTitle(name, run.game);
  }).join(", ");

  function runCard(run) {
    const busy = run.state === "running" || run.state === "queued";
    const game = gameOf(run);
    const rules = houseRules(game, run.rules).map(({ title, choice }) => `${title}: ${choice.toLowerCase()}`);
    const title = run.what === "cross" ? t("Cross table of {n} bots", { n: run.agents.length }) : whoPlays(run);
    return h("article", { class: `card run ${run.state}` },
      h("header", { class: "row" },
        h("h2", {}, title),
        h("span", { class: "tag" }, stateWords(run.state)),
        h("span", { class: "grow" }),
        h("span", { class: "muted small" }, [game?.title ?? run.game, t("{n} players", { n: run.players }), `${game?.best ? tn(run.games, "{count} game", "{count} games", { count: count(run.games) }) : tn(run.games, "{count} deal", "{count} deals", { count: count(run.games) })}${run.what === "cross" ? ` ${t("per pair")}` : ""}`, t("seed {seed}", { seed: run.seed }), ago(run.created)].join(" · "))),
      rules.length > 0 && h("p", { class: "muted small" }, rules.join(" · ")),
      (busy || run.state === "cancelled") && h("div", { class: "row" },
        h("progress", { max: run.total || 1, value: run.done ?? 0, "aria-label": t("Progress: {title}", { title }) }),
        h("span", { class: "small" }, [t("{done} of {total}", { done: count(run.done ?? 0), total: count(run.total) }), waitWords(run)].filter(Boolean).join(" · ")),
        storage.run(run.run) && (busy ? button(t("Stop"), () => shell.connection.send({ type: "lab_cancel", run: run.run, token: storage.run(run.run) }), { "data-key": `stop-${run.run}` })
          : button(t("Resume"), () => shell.connection.send({ type: "lab_resume", run: run.run, token: storage.run(run.run) }), { "data-key": `go-${run.run}` }))),
      run.error && h("p", { class: "trouble" }, run.error),
      run.summary && summary(run),
      run.summary && game && (run.done ?? 0) > 0 && h("div", { class: "row" }, button(t("Best and worst games …"), () => showGames(shell, game, run, t("Games of {title}", { title })), { "data-key": `games-${run.run}` })),
      run.cells && crossTable(run, game),
      (run.files ?? []).length > 0 && h("p", { class: "files small" }, `${t("Files:")} `, run.files.map((file) => [fileLink(file), " "])));
  }

  // A report opens beside the page; other files are saved.
  function fileLink(file) {
    const name = file.split("/").at(-1);
    return name === "report.html" ? h("a", { href: file, target: "_blank", rel: "noopener" }, t("report")) : h("a", { href: file, download: "" }, name);
  }

  const two = (x) => (typeof x === "number" ? x.toFixed(2) : "–");

  function summary(run) {
    const { mean, interval, std, perfect, lost, histogram } = run.summary;
    const best = gameOf(run)?.best;
    const figures = [
      mean !== undefined && [t("average points"), two(mean), t("The mean of all games so far.")],
      interval && [t("95 % interval"), t("{least} to {most}", { least: two(interval[0]), most: two(interval[1]) }), t("95 % confidence interval of the mean.")],
      std !== undefined && [t("standard deviation"), two(std), t("About two thirds of the games lie within one standard deviation of the mean.")],
      perfect !== undefined && [t("games with {best} points", { best }), perfect], lost !== undefined && [t("games lost"), lost, t("Games in which the last life was lost.")],
      ...shares(run),
      [t("games"), count(run.summary.games)], run.summary.draws > 0 && [t("draws"), run.summary.draws],
      typeof run.summary.mean_turn === "number" && [t("average turns per game"), run.summary.mean_turn.toFixed(1)],
    ].filter((each) => each && each[1] !== undefined);
    return h("div", { class: "summary" }, h("dl", { class: "figures" }, figures.map(([name, value, why]) => h("div", { title: why }, h("dt", {}, name), h("dd", {}, value)))),
      Array.isArray(histogram) && histogram.length > 1 && bars(histogram));
  }

  // In competitive games: the share of games won by each seat.
  function shares(run) {
    const { wins, games, seats } = run.summary;
    if (!Array.isArray(wins) || !games) return [];
    return wins.map((won, seat) => [t("{name} ({seat}) wins", { name: botTitle(seats[seat], run.game), seat: seat + 1 }), `${Math.round((100 * won) / games)} %`, t("{won} of {games} games; equal players would win {share} % each.", { won, games, share: Math.round(100 / run.players) })]);
  }

  function bars(histogram) {
    const most = Math.max(...histogram, 1);
    const width = 12;
    return svg("svg", { viewBox: `0 0 ${histogram.length * width} 78`, class: "histogram", role: "img", "aria-label": t("Scores: {scores}", { scores: histogram.map((n, score) => n ? `${score}: ${n}` : "").filter(Boolean).join(", ") }) },
      histogram.map((n, score) => [
        svg("rect", { x: score * width + 1, width: width - 2, y: 64 - (62 * n) / most, height: (62 * n) / most, rx: 1 }, svg("title", {}, `${score}: ${n}`)),
        score % 5 === 0 && svg("text", { x: score * width + width / 2, y: 75, "text-anchor": "middle" }, score),
      ]));
  }

  function crossTable(run, game) {
    const rows = run.agents;
    const cell = (row, column) => run.cells.find((each) => each.row === row && each.column === column);
    const means = run.cells.map((each) => each.mean).filter((x) => typeof x === "number");
    const [least, most] = [Math.min(...means), Math.max(...means)];
    const called = (name) => botTitle(name, run.game);
    const shown = (x) => (game?.best ? two(x) : `${Math.round(100 * x)}`);
    const meaning = game?.best
      ? t("The row's bot takes one seat, each in turn, and the column's bot all the others. A cell is their average score; on the diagonal a bot plays with copies of itself.")
      : t("The row's bot takes one seat and the column's bot all the others. A cell is the percentage of games the row's bot wins, a shared win counting in part; equal players would win {share} %.", { share: Math.round(100 / run.players) });
    function words(found) {
      const between = found.interval ? ` ${t("Over {count} games; 95 % interval {least} to {most}.", { count: count(found.games), least: shown(found.interval[0]), most: shown(found.interval[1]) })}` : "";
      return game?.best ? t("{row} with {column}: {mean} points on average.", { row: called(found.row), column: called(found.column), mean: shown(found.mean) }) + between : t("{row} wins {mean} % of games against {column}.", { row: called(found.row), mean: shown(found.mean), column: called(found.column) }) + between;
    }
    return h("div", { class: "cross-part" },
      h("p", { class: "small" }, meaning, ` ${t("Choose a cell to list its games.")}`),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Cross table") }, h("table", { class: "cross" },
        h("thead", {}, h("tr", {}, h("td", {}, game?.best ? t("one seat ↓ · other seats →") : t("winner ↓ · opponents →")), rows.map((column) => h("th", { scope: "col" }, called(column))))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, called(row)), rows.map((column) => {
          const found = cell(row, column);
          const share = found && most > least ? (found.mean - least) / (most - least) : 0;
          return h("td", { style: { "--share": `${Math.round(share * 70)}%` } },
            found && button(shown(found.mean), () => showGames(shell, game, run, game?.best ? t("Games of {row} with {column}", { row: called(row), column: called(column) }) : t("Games of {row} against {column}", { row: called(row), column: called(column) }), found), { title: words(found), "aria-label": words(found), "data-key": `cell-${run.run}-${row}-${column}` }));
        })))))));
  }

  return {
    ready() {
      if (!parts) {
        drawForm();
        drawMaps();
      }
      shell.connection.send({ type: "lab", on: true });
    },
    hear(message) {
      if (message.type === "lab_started") return true;
      if (message.type !== "runs") return false;
      runs = message.runs ?? [];
      redraw(list, runs.length ? runs.map(runCard) : h("p", { class: "muted" }, t("No runs yet.")));
      return true;
    },
    leave: () => shell.connection.ready && shell.connection.send({ type: "lab", on: false }),
  };
}
