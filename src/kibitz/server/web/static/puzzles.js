// @ts-check
// Puzzles: a position as its solver sees it, solved by a move on the board; today's ten, lessons, themes, and a rating.

import { announce, button, field, h, options, redraw, styleSheet, toast } from "./dom.js";
import { mountBoard } from "./boards.js";
import { amount, amountWords, askOwn, prose } from "./coach.js";
import { lastMove } from "./last_move.js";
import { seatNames, withNames } from "./seat_names.js";
import * as storage from "./storage.js";
import { loadTexts, localized, t, tn } from "./texts.js";

styleSheet("/static/review.css");

const UNITS = { points: "points", perfect: "wins", wins: "wins" };

// #/puzzles/GAME/daily, …/lesson/NAME, …/theme/NAME, …/id/ID
function wantedBy(words) {
  const [game = "hanabi", kind = "daily", name = ""] = words;
  return { game, kind: ["daily", "lesson", "theme", "id", "any"].includes(kind) ? kind : "daily", name };
}

export function showPuzzles(main, shell, words) {
  let wanted = wantedBy(words);
  /** @type {any} */
  let puzzle = null;
  /** @type {any} */
  let solved = null;
  let names = [];
  let board = null;
  let mounted = ""; // the game of the board
  let sending = false;
  let gone = false;
  const last = lastMove();
  const boardRoot = h("div", { class: "board" });
  const head = h("header", { class: "row review-head" });
  const task = h("section", { class: "card review-turn", "aria-label": t("The task") });
  const answer = h("section", { class: "card review-turn", "aria-label": t("The answer"), "aria-live": "polite" });
  const more = h("section", { class: "card", "aria-label": t("More puzzles") });
  main.append(head, task, h("section", { class: "coach-board", "aria-label": t("The board") }, boardRoot), answer, more);
  answer.hidden = true;

  const unit = () => UNITS[puzzle.measure] ?? "points";
  const gameOf = () => shell.catalogue?.find((game) => game.name === (puzzle?.game ?? wanted.game));

  async function load() {
    const question = { game: wanted.game, daily: wanted.kind === "daily", lesson: wanted.kind === "lesson" ? wanted.name : "", theme: wanted.kind === "theme" ? wanted.name : "", puzzle: wanted.kind === "id" ? wanted.name : "" };
    try {
      await loadTexts(wanted.game);
      if (!storage.choice("visitor", "")) await askOwn(shell, { type: "progress" }); // so that the first answer counts
      puzzle = await askOwn(shell, { type: "puzzle", ...question });
    } catch (error) {
      if (error.code !== "broken") redraw(task, h("p", { role: "alert" }, localized(error.message)), h("a", { class: "button", href: "#/" }, t("Back to the lobby")));
      boardRoot.parentElement.hidden = true;
      return;
    }
    if (gone) return;
    solved = null;
    sending = false;
    boardRoot.parentElement.hidden = false;
    names = seatNames(puzzle.seats.map((seat, number) => (number === puzzle.seat ? { ...seat, name: storage.name() || t("Solver") } : seat)));
    if (mounted !== puzzle.game) {
      board?.leave?.();
      board = await mountBoard(puzzle.game, boardRoot, { move: solve, premove() {}, note() {}, announce, lastMove: last.element, odds: async () => null });
      if (!last.element.isConnected) boardRoot.after(last.element);
      mounted = puzzle.game;
      page.keys = board.keys ?? [];
    }
    draw();
    announce(taskWords());
  }

  async function solve(move) {
    if (solved || sending) return;
    sending = true;
    draw();
    try {
      solved = await askOwn(shell, { type: "solve", game: puzzle.game, puzzle: puzzle.puzzle, move });
      puzzle.me = solved.me;
    } catch (error) {
      toast(error.message, "error");
    }
    sending = false;
    draw();
    if (!solved) return;
    answer.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (answer.querySelector("[data-key=next]"))?.focus({ preventScroll: true });
  }

  function draw() {
    if (!puzzle || gone) return;
    document.title = `${t("Puzzles")} · kibitz`;
    drawHead();
    drawTask();
    const event = puzzle.events.at(-1) ?? null;
    const context = {
      seats: puzzle.seats, names, rules: puzzle.rules, notes: {}, as: puzzle.seat, to_move: puzzle.seat, choices: solved || sending ? [] : puzzle.choices, over: false, revealed: null,
      past: Boolean(solved), odds: false, premoves: false, premove: null, cancelPremove() {}, sending, state: "running", event, say: (text) => withNames(text, names),
    };
    board.render(puzzle.view, context);
    last.update(context, event && board.describe?.(event));
    drawAnswer();
    drawMore();
  }

  function drawHead() {
    const { me } = puzzle;
    const titles = puzzle.games.map((name) => [name, shell.catalogue?.find((game) => game.name === name)?.title ?? name]);
    const select = options(h("select", { "data-key": "game", onchange: () => shell.go(`/puzzles/${select.value}/${wanted.kind === "daily" ? "daily" : "any"}`) }), titles, puzzle.game);
    redraw(head,
      h("h1", {}, t("Puzzles")), h("span", { class: "grow" }),
      h("ul", { class: "puzzle-me" },
        h("li", {}, h("span", { class: "muted small" }, t("Rating")), h("strong", {}, Math.round(me.rating))),
        h("li", {}, h("span", { class: "muted small" }, t("In a row")), h("strong", {}, me.streak)),
        h("li", {}, h("span", { class: "muted small" }, t("Days")), h("strong", {}, me.days)),
        h("li", {}, h("span", { class: "muted small" }, t("Today")), h("strong", {}, `${me.today} / ${me.a_day}`))),
      titles.length > 1 && field(t("Game"), select));
  }

  const lessonOf = () => (wanted.kind === "lesson" ? puzzle.lessons.find((lesson) => lesson.name === wanted.name) : null);
  const themeOf = () => (wanted.kind === "theme" ? puzzle.themes.find((theme) => theme.name === wanted.name) : null);
  const taskWords = () => (gameOf()?.competitive || unit() === "wins" && puzzle.measure !== "perfect" ? t("Find the move that wins most often.") : t("Find the move that brings the most points."));

  function drawTask() {
    const [lesson, theme] = [lessonOf(), themeOf()];
    redraw(task,
      h("h2", {}, lesson ? t("Lesson: {title}", { title: localized(lesson.title) }) : theme ? t("Theme: {title}", { title: localized(theme.title) }) : wanted.kind === "daily" ? t("Today's ten") : t("A puzzle")),
      lesson && h("p", {}, prose(lesson.text, names)),
      theme && h("p", { class: "muted" }, localized(theme.help)),
      h("p", {}, h("strong", {}, taskWords()), " ", t("Make it on the board. You know what you see here, and what was played:")),
      puzzle.convention && h("p", { class: "muted" }, `${gameOf()?.best ? t("Your partners:") : t("The others:")} ${prose(puzzle.convention, names)}`),
      puzzle.events.length > 0 && h("details", {}, h("summary", {}, tn(puzzle.events.length, "The last move", "The last {n} moves")), h("ol", { class: "puzzle-events" }, puzzle.events.map((event) => h("li", {}, h("span", { class: "muted" }, event.turn), ` ${withNames(event.text, names)}`)))));
  }

  function drawAnswer() {
    answer.hidden = !solved;
    if (!solved) return;
    const change = Math.round(solved.me.rating - solved.before);
    redraw(answer,
      h("header", { class: "row" }, h("span", { class: `verdict ${solved.correct ? "excellent" : "blunder"}`, "aria-hidden": "true" }, solved.correct ? "✓" : "✗"),
        h("h2", {}, solved.correct ? t("Right: {move}", { move: withNames(solved.best, names) }) : t("Better: {best}", { best: withNames(solved.best, names) })),
        h("span", { class: "tag" }, localized(solved.theme))),
      !solved.correct && h("p", {}, t("{move} is worth {loss} less.", { move: withNames(solved.move, names), loss: amountWords(solved.loss, unit()) })),
      h("p", { class: "why" }, prose(solved.text, names)),
      h("p", { class: "muted small" }, solved.counts ? t("Your rating: {rating} ({change}). The puzzle's: {puzzle}.", { rating: Math.round(solved.me.rating), change: change > 0 ? `+${change}` : String(change), puzzle: solved.puzzle_rating }) : t("You have tried this puzzle before, so it does not count. Its rating: {puzzle}.", { puzzle: solved.puzzle_rating })),
      h("div", { class: "row" },
        button(t("Next puzzle"), next, { class: "primary", "data-key": "next" }),
        solved.me.today === solved.me.a_day && wanted.kind === "daily" && h("p", {}, t("These were today's ten. Come back tomorrow, or go on."))),
      h("details", {}, h("summary", {}, t("All moves")), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("Legal moves with what they are worth") }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Move")), h("th", { scope: "col" }, unit() === "wins" ? t("Chance") : t("Expected points")))),
        h("tbody", {}, solved.moves.map((move) => h("tr", { class: move.move === solved.best ? "best" : "" },
          h("th", { scope: "row" }, withNames(move.move, names), move.move === solved.best && h("span", { class: "tag" }, t("best")), move.move === solved.move && h("span", { class: "tag" }, t("yours"))),
          h("td", {}, solved.exact ? `${amount(move.value, unit(), 2)} (${t("exact")})` : `${amount(move.value, unit(), 2)} ± ${amount(move.error, unit(), 2)}`))))))));
  }

  function next() {
    if (wanted.kind === "daily" && solved.me.today >= solved.me.a_day || wanted.kind === "id") shell.go(`/puzzles/${puzzle.game}/any`);
    else load();
    scrollTo(0, 0);
  }

  function drawMore() {
    const link = (words, title, here, note) => h("li", {}, h("a", { class: "button decision", href: `#/puzzles/${puzzle.game}/${words}`, "aria-current": here ? "page" : null }, h("span", { class: "what" }, title), note && h("span", { class: "muted small" }, note)));
    redraw(more,
      h("h2", {}, t("Lessons")), h("ul", { class: "puzzle-links" }, puzzle.lessons.map((lesson) => link(`lesson/${encodeURIComponent(lesson.name)}`, localized(lesson.title), lessonOf() === lesson, t("{done} of {n}", { done: lesson.done, n: lesson.puzzles })))),
      h("h2", {}, t("Themes")), h("ul", { class: "puzzle-links" },
        link("daily", t("Today's ten"), wanted.kind === "daily", t("{done} of {n}", { done: puzzle.me.today, n: puzzle.me.a_day })),
        link("any", t("All themes"), wanted.kind === "any", String(puzzle.total)),
        puzzle.themes.map((theme) => link(`theme/${encodeURIComponent(theme.name)}`, localized(theme.title), themeOf() === theme, String(theme.puzzles)))));
  }

  const page = {
    keys: [],
    get game() {
      return puzzle?.game;
    },
    get rules() {
      return puzzle?.rules;
    },
    ready: () => puzzle || load(),
    key: (event) => board?.key?.(event),
    keyUp: (event) => board?.keyUp?.(event),
    stay(again) {
      wanted = wantedBy(again);
      load();
      return true;
    },
    leave() {
      gone = true;
      board?.leave?.();
    },
  };
  return page;
}
