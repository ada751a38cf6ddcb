// @ts-check
// A visitor's progress: games by level and players, accuracy and mistakes over time, puzzles. It can be taken along as a
// file, or deleted.

import { announce, button, field, h, options, redraw, styleSheet, svg, toast } from "./dom.js";
import { amount, askOwn, forgetKey, hasKey, kindWords } from "./coach.js";
import { ago } from "./seat_names.js";
import { localized, t, tn } from "./texts.js";

styleSheet("/static/review.css");

const RECENT = 20; // games that count as recent
const SMOOTH = 5; // games
const LISTED = 10;
const HEIGHT = 180;
const PAD = { left: 44, right: 14, top: 14, bottom: 24 };

export function showProgress(main, shell) {
  const content = h("div", { class: "progress-parts" });
  let found = null;
  let chosen = ""; // the game
  let kind = ""; // of mistakes
  let sure = false;
  let gone = false;
  main.append(h("header", { class: "row review-head" }, h("h1", {}, t("My progress"))), content);
  addEventListener("resize", draw);

  async function load() {
    if (!hasKey()) return nothing();
    try {
      found = await askOwn(shell, { type: "progress" });
      draw();
    } catch (error) {
      if (error.code !== "broken") redraw(content, h("p", { class: "card", role: "alert" }, error.message));
    }
  }

  const nothing = () => redraw(content, h("div", { class: "card" }, h("p", {}, t("Nothing is stored yet. Review a game that you played, or solve a puzzle.")),
    h("div", { class: "row" }, h("a", { class: "button", href: "#/" }, t("Lobby")), h("a", { class: "button", href: "#/puzzles" }, t("Puzzles")))));

  const titleOf = (name) => shell.catalogue?.find((game) => game.name === name)?.title ?? name;
  const bestOf = (name) => shell.catalogue?.find((game) => game.name === name)?.best;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  function draw() {
    if (!found || gone) return;
    const puzzles = Object.entries(found.puzzles ?? {});
    if (!found.games.length && !puzzles.length) return nothing();
    const names = [...new Set([...found.games.map((game) => game.game), ...puzzles.map(([name]) => name)])];
    if (!names.includes(chosen)) chosen = names[0];
    const games = found.games.filter((game) => game.game === chosen).reverse(); // the oldest first
    const reviewed = games.filter((game) => game.accuracy !== undefined);
    const select = options(h("select", { "data-key": "game", onchange: () => { chosen = select.value; draw(); } }), names.map((name) => [name, titleOf(name)]), chosen);
    redraw(content,
      h("div", { class: "row" }, field(t("Game"), select), h("span", { class: "grow" }),
        button(t("Export"), save, { "data-key": "export" }),
        sure ? button(t("Delete for good"), remove, { class: "danger", "data-key": "delete" }) : button(t("Delete …"), () => { sure = true; draw(); }, { "data-key": "delete" })),
      sure && h("p", { class: "problem", role: "alert" }, t("All that this server keeps of your progress will be deleted: games, puzzles, and your name in daily results.")),
      h("dl", { class: "card tiles" },
        tile(t("Games"), String(games.length)),
        reviewed.length > 0 && tile(t("Accuracy, last {n}", { n: Math.min(RECENT, reviewed.length) }), `${mean(reviewed.slice(-RECENT).map((game) => game.accuracy)).toFixed(0)} %`),
        found.puzzles?.[chosen] && tile(t("Puzzle rating"), Math.round(found.puzzles[chosen].rating)),
        found.puzzles?.[chosen] && tile(t("Puzzles solved"), t("{solved} of {tried}", { solved: found.puzzles[chosen].solved, tried: found.puzzles[chosen].tried }))),
      reviewed.length > 1 && chart(t("Accuracy over time"), reviewed.map((game) => game.accuracy), (value) => `${value.toFixed(0)} %`, { range: [0, 100], mean: SMOOTH }),
      (found.puzzles?.[chosen]?.history ?? []).length > 1 && chart(t("Puzzle rating over time"), found.puzzles[chosen].history, (value) => value.toFixed(0)),
      reviewed.length > 1 && mistakesOverTime(reviewed),
      reviewed.length > 0 && mistakes(reviewed),
      games.length > 0 && levels(games),
      games.length > 0 && recent(games));
  }

  const tile = (title, value) => h("div", {}, h("dt", { class: "muted small" }, title), h("dd", {}, value));

  // A line over the games, in their order.
  function chart(title, values, words, { range = null, mean: over = 1 } = {}) {
    const width = Math.max(Math.min(main.clientWidth - 60, 1040), 240);
    const [low, high] = range ?? [Math.min(...values), Math.max(...values)];
    const room = Math.max(high - low, 1);
    const x = (n) => PAD.left + ((width - PAD.left - PAD.right) * n) / Math.max(values.length - 1, 1);
    const y = (value) => PAD.top + (HEIGHT - PAD.top - PAD.bottom) * (1 - (value - low) / room);
    const smooth = values.map((_, n) => mean(values.slice(Math.max(0, n - over + 1), n + 1)));
    return h("section", { class: "card chart" }, h("h2", {}, title),
      svg("svg", { width, height: HEIGHT, role: "img", "aria-label": t("{title}: from {first} to {last}, {n} values", { title, first: words(values[0]), last: words(values.at(-1)), n: values.length }) },
        [low, low + room / 2, low + room].map((value) => [svg("line", { class: "grid", x1: PAD.left, x2: width - PAD.right, y1: y(value), y2: y(value) }), svg("text", { x: PAD.left - 6, y: y(value) + 4, "text-anchor": "end" }, words(value))]),
        svg("path", { class: "curve", d: smooth.map((value, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("") }),
        values.map((value, n) => svg("circle", { cx: x(n), cy: y(value), r: 3 })),
        svg("text", { x: PAD.left, y: HEIGHT - 6 }, t("first")), svg("text", { x: width - PAD.right, y: HEIGHT - 6, "text-anchor": "end" }, t("newest"))),
      over > 1 && h("p", { class: "muted small" }, t("Dots are single values, the line is the mean of five.")));
  }

  // The mistakes of every game, all or of a kind, for every hundred decisions.
  function mistakesOverTime(games) {
    const kinds = [...new Set(games.flatMap((game) => Object.keys(game.kinds ?? {})))].sort();
    if (!kinds.includes(kind)) kind = "";
    const select = options(h("select", { "data-key": "kind", onchange: () => { kind = select.value; draw(); } }), [["", t("all kinds")], ...kinds.map((each) => [each, kindWords(each)])], kind);
    const count = (game) => (kind ? game.kinds?.[kind] ?? 0 : Object.values(game.kinds ?? {}).reduce((sum, each) => sum + each, 0));
    const shown = chart(t("Mistakes in 100 decisions over time"), games.map((game) => (100 * count(game)) / Math.max(game.decisions, 1)), (value) => value.toFixed(0), { mean: SMOOTH });
    shown.firstElementChild.after(field(t("Kind"), select));
    return shown;
  }

  // Mistakes by kind for every hundred decisions, recently and before.
  function mistakes(games) {
    const [before, now] = [games.slice(0, -RECENT), games.slice(-RECENT)];
    const rate = (some, kind) => (100 * some.reduce((sum, game) => sum + (game.kinds?.[kind] ?? 0), 0)) / Math.max(some.reduce((sum, game) => sum + game.decisions, 0), 1);
    const kinds = [...new Set(games.flatMap((game) => Object.keys(game.kinds ?? {})))].sort((one, other) => rate(now, other) - rate(now, one));
    if (!kinds.length) return null;
    const most = Math.max(...kinds.map((kind) => Math.max(rate(now, kind), rate(before, kind))), 0.01);
    const cell = (some, kind) => h("td", { class: "worth", style: { "--share": `${Math.round((100 * rate(some, kind)) / most)}%` } }, rate(some, kind).toFixed(1));
    return h("section", { class: "card" }, h("h2", {}, t("Mistakes in 100 decisions")), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("Mistakes in 100 decisions") }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Kind")), before.length > 0 && h("th", { scope: "col" }, t("Before")), h("th", { scope: "col" }, tn(now.length, "Last game", "Last {n} games")))),
      h("tbody", {}, kinds.map((kind) => h("tr", {}, h("th", { scope: "row" }, kindWords(kind)), before.length > 0 && cell(before, kind), cell(now, kind)))))));
  }

  const levelWords = (level) => (level === "people" ? t("people") : level ? localized(level) : t("other bots"));

  function levels(games) {
    const groups = new Map();
    for (const game of games) {
      const key = `${game.level}/${game.players}`;
      groups.set(key, [...(groups.get(key) ?? []), game]);
    }
    const best = bestOf(chosen);
    return h("section", { class: "card" }, h("h2", {}, t("Games by level and players")), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("Games by level and players") }, h("table", {},
      h("thead", {}, h("tr", {}, [t("With"), t("Players"), t("Games"), best ? t("Points") : t("Won"), t("Accuracy")].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, [...groups].sort(([one], [other]) => one.localeCompare(other)).map(([, some]) => {
        const known = some.filter((game) => game.accuracy !== undefined);
        return h("tr", {}, h("th", { scope: "row" }, levelWords(some[0].level)), h("td", {}, some[0].players), h("td", {}, some.length),
          h("td", {}, amount(mean(some.map((game) => game.worth)), best ? "points" : "wins")), h("td", {}, known.length ? `${mean(known.map((game) => game.accuracy)).toFixed(0)} %` : "–"));
      })))));
  }

  const recent = (games) => h("section", { class: "card" }, h("h2", {}, t("Last games")), h("ul", { class: "decisions" }, games.slice(-LISTED).reverse().map((game) => h("li", {},
    h("a", { class: "button decision", href: `#/review/${game.table}/seat/${game.seat + 1}` },
      h("span", { class: "what" }, `${titleOf(game.game)} · ${levelWords(game.level)} · ${amount(game.worth, bestOf(game.game) ? "points" : "wins")}${game.practice ? ` · ${t("practice")}` : ""}`),
      game.accuracy !== undefined && h("strong", {}, `${Math.round(game.accuracy)} %`), h("span", { class: "muted small" }, ago(game.ended)))))));

  function save() {
    const { type, request, ...kept } = found;
    const address = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" }));
    h("a", { href: address, download: "kibitz-progress.json" }).click();
    URL.revokeObjectURL(address);
  }

  async function remove() {
    try {
      found = await askOwn(shell, { type: "forget_progress" });
      forgetKey();
      sure = false;
      announce(t("Your progress is deleted."));
      nothing();
    } catch (error) {
      toast(error.message, "error");
    }
  }

  return {
    ready: load,
    leave() {
      gone = true;
      removeEventListener("resize", draw);
    },
  };
}
