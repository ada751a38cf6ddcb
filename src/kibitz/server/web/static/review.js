// @ts-check
// The review of a finished game: what every decision of a seat was worth by what it could know, the worst first, with
// the board as the seat saw it then. Hidden cards are one click away, and so is a table to try another move.

import { announce, button, field, h, later, options, redraw, styleSheet, toast } from "./dom.js";
import { mountBoard } from "./boards.js";
import { VERDICTS, WRONG, amount, amountWords, askOwn, expectedWords, hardness, prose } from "./coach.js";
import { lastMove } from "./last_move.js";
import { reviewGraph } from "./review_graph.js";
import { seatNames, withNames } from "./seat_names.js";
import * as storage from "./storage.js";
import { t, tn } from "./texts.js";

styleSheet("/static/review.css");

const Z95 = 1.96;
const numberAfter = (words, name) => {
  const at = words.indexOf(name);
  return at > 0 && /^\d+$/.test(words[at + 1] ?? "") ? Number(words[at + 1]) : null;
};

export function showReview(main, shell, words) {
  const id = words[0] ?? "";
  let wanted = { seat: numberAfter(words, "seat"), turn: numberAfter(words, "turn") };
  let message = null; // the table
  let names = [];
  let game = null;
  let seat = null; // the reviewed one
  let partners = "";
  /** @type {any} */
  let review = null; // all but the turns
  const turns = new Map();
  let current = null; // the turn shown
  let chosen = false; // whether the visitor chose it; else it is the worst so far
  let open = false; // hidden cards
  let everything = false; // also the decisions without a verdict
  let board = null;
  let drawing = 0;
  let gone = false;
  let counted = false; // in the visitor's progress

  const last = lastMove();
  const boardRoot = h("div", { class: "board" });
  const head = h("header", { class: "row review-head" });
  const summary = h("section", { class: "card review-summary", "aria-label": t("Summary") });
  const list = h("section", { class: "card review-list", "aria-label": t("Decisions") });
  const about = h("section", { class: "card review-turn", "aria-label": t("The decision"), "aria-live": "polite" });
  const moves = h("section", { class: "card review-moves", "aria-label": t("Legal moves") });
  const graph = reviewGraph({ pick: (turn) => show(turn), describe: inWords });
  main.append(head, summary, h("div", { class: "card" }, graph.element), h("div", { class: "review-parts" }, list,
    h("div", { class: "review-at" }, about, h("section", { class: "review-board coach-board", "aria-label": t("The board at that turn") }, boardRoot), moves)));
  redraw(summary, h("p", { class: "muted", role: "status" }, t("Loading the game …")));

  const ask = (question) => shell.connection.ask({ ...question, table: id }, true);
  const own = () => [...turns.values()].filter((turn) => turn.seat === seat).sort((one, other) => one.turn - other.turn);
  const rank = (turn) => (WRONG.includes(turn.verdict) ? 0 : 1);
  const worst = () => own().sort((one, other) => rank(one) - rank(other) || other.loss - one.loss || one.turn - other.turn);
  const isMine = () => storage.seat(id)?.seat === seat && Boolean(storage.seat(id)?.token);
  const moveText = (move) => withNames(move, names);

  // Joining the table lets one look back at it.
  async function enter() {
    const token = storage.seat(id)?.token;
    try {
      await ask(token ? { type: "resume", token } : { type: "spectate" });
    } catch (error) {
      if (error.code === "not_yours" && token) return void shell.connection.ask({ type: "spectate", table: id }, true).catch(trouble);
      trouble(error);
    }
  }

  function trouble(error) {
    if (error.code === "broken" || gone) return;
    redraw(summary, h("p", { role: "alert" }, error.message), h("a", { class: "button", href: message ? `#/table/${id}` : "#/" }, message ? t("Back to the table") : t("Back to the lobby")));
  }

  async function begin(first) {
    message = first;
    names = seatNames(message.seats);
    game = shell.catalogue.find((each) => each.name === message.game);
    const mine = typeof message.as === "number" ? message.as : storage.seat(id)?.seat ?? null;
    const person = message.seats.findIndex((each) => each.kind === "person" || each.kind === "absent");
    seat = wanted.seat !== null && wanted.seat <= names.length ? wanted.seat - 1 : mine ?? Math.max(person, 0);
    document.title = `${t("Review")} · ${game?.title ?? message.game} · kibitz`;
    board = await mountBoard(message.game, boardRoot, { move() {}, premove() {}, note() {}, announce, lastMove: last.element, odds: async () => null });
    if (!last.element.isConnected) boardRoot.after(last.element);
    if (gone) return;
    drawHead();
    request();
  }

  async function request() {
    turns.clear();
    review = null;
    try {
      hear(await ask({ type: "review", ...(partners ? { partners, seat } : {}) }));
    } catch (error) {
      trouble(error);
    }
  }

  function drawHead() {
    const seats = options(h("select", { "data-key": "seat", onchange: () => { seat = Number(seats.value); chosen = false; wanted.turn = current = null; partners ? request() : draw(); } }), names.map((name, number) => [number, name]), seat);
    const models = options(h("select", { "data-key": "partners", onchange: () => { partners = models.value; request(); } }),
      [["", t("as who they were")], ...(game?.agents ?? []).filter((agent) => !agent.traits?.includes("cheats") && !agent.name.includes(":")).map((agent) => [agent.name, agent.title])], partners);
    redraw(head,
      h("h1", {}, t("Review: {title}", { title: game?.title ?? message.game })), h("span", { class: "grow" }),
      field(t("Player"), seats), field(game?.best ? t("The partners play") : t("The others play"), models),
      h("a", { class: "button", href: `#/table/${id}`, "data-key": "back" }, t("Back to the table")));
  }

  // Drawing

  function draw() {
    if (!review || gone) return;
    const mine = worst();
    if (!chosen || !turns.has(current)) {
      current = (wanted.turn !== null && own().find((turn) => turn.turn >= wanted.turn) || mine[0])?.turn ?? null;
    }
    drawSummary();
    drawList(mine);
    const unit = review.unit;
    graph.element.parentElement.hidden = mine.length === 0;
    graph.update({ own: own(), moves: message.turn, unit, current });
    drawTurn();
  }

  function drawSummary() {
    const at = review.seats[seat];
    const examined = turns.size;
    redraw(summary,
      at && examined > 0 && [h("div", { class: "accuracy" }, h("strong", {}, `${Math.round(at.accuracy)} %`), h("span", { class: "muted small" }, t("accuracy"))),
        h("div", { class: "review-words" }, h("p", { class: "balance" }, balance(at)), counts(),
          review.deal?.percentile !== undefined && h("p", { class: "muted small" }, `${t("The deal:")} ${hardness(review.deal)}`))],
      review.state === "running" && h("div", { class: "row review-progress" },
        h("progress", { max: review.decisions || 1, value: examined, "aria-label": t("Examined decisions") }),
        h("span", { class: "small muted", role: "status" }, examined < review.decisions ? t("{examined} of {decisions} decisions examined", { examined, decisions: review.decisions }) : t("Looking again at what is not clear yet …"))),
      review.problems.map((problem) => h("p", { class: "problem", role: "alert" }, prose(problem, names))));
  }

  // "You lost 1.3 points, your partners 2.1, luck gave 0.8."
  function balance(at) {
    const { unit } = review;
    const values = { name: names[seat], lost: amountWords(at.lost, unit), partners: amount(at.partners_lost, unit), luck: review.competitive ? amountWords(at.luck, unit) : amount(Math.abs(at.luck), unit) };
    const gave = at.luck >= 0;
    if (unit === "search points") return isMine() ? t("You lost {lost}.", values) : t("{name} lost {lost}.", values); // they say nothing about the result
    if (review.competitive) {
      if (isMine()) return gave ? t("You lost {lost}; luck and the others gave you {luck}.", values) : t("You lost {lost}; luck and the others took {luck}.", values);
      return gave ? t("{name} lost {lost}; luck and the others gave {luck}.", values) : t("{name} lost {lost}; luck and the others took {luck}.", values);
    }
    if (isMine()) return gave ? t("You lost {lost}, your partners {partners}, luck gave {luck}.", values) : t("You lost {lost}, your partners {partners}, luck took {luck}.", values);
    return gave ? t("{name} lost {lost}, the partners {partners}, luck gave {luck}.", values) : t("{name} lost {lost}, the partners {partners}, luck took {luck}.", values);
  }

  function counts() {
    const found = own();
    const broken = found.filter((turn) => turn.convention).length;
    return h("ul", { class: "verdict-counts" }, [...VERDICTS].filter(([verdict]) => verdict).map(([verdict, [mark, title]]) => {
      const count = found.filter((turn) => turn.verdict === verdict).length;
      return count > 0 && h("li", {}, verdictMark(verdict, mark), ` ${title}: ${count}`);
    }), broken > 0 && h("li", { class: "convention" }, t("Conventions broken: {n}", { n: broken })));
  }

  const verdictMark = (verdict, mark = VERDICTS.get(verdict)[0]) => h("span", { class: `verdict ${verdict.replace(" ", "-") || "good"}`, "aria-hidden": "true" }, mark);

  function drawList(sorted) {
    const judged = sorted.filter((turn) => turn.verdict || turn.convention);
    const shown = everything ? own() : judged;
    redraw(list,
      h("header", { class: "row" }, h("h2", {}, everything ? t("All decisions") : t("Worst first")), h("span", { class: "grow" }),
        button(everything ? t("Worst first") : t("All decisions"), () => { everything = !everything; draw(); }, { "data-key": "everything" })),
      shown.length === 0 ? h("p", { class: "muted" }, review.state === "running" ? t("Nothing found so far.") : t("No mistakes were found."))
        : h("ol", { class: "decisions" }, shown.map((turn) => h("li", {}, h("button", {
          type: "button", class: "decision", "data-key": `turn-${turn.turn}`, "aria-current": turn.turn === current ? "true" : null, "aria-label": inWords(turn), onclick: () => show(turn.turn),
        }, verdictMark(turn.verdict), h("span", { class: "muted" }, turn.turn), h("span", { class: "what" }, moveText(turn.move)),
        turn.convention && h("span", { class: "tag", title: t("Broke a convention") }, t("convention")),
        WRONG.includes(turn.verdict) && h("span", { class: "loss" }, `−${amount(turn.loss, review.unit)}`))))));
  }

  function inWords(turn) {
    const values = { turn: turn.turn, move: moveText(turn.move), verdict: VERDICTS.get(turn.verdict)[1], expected: expectedWords(turn.after, review.unit) };
    return WRONG.includes(turn.verdict)
      ? t("Turn {turn}: {move}. {verdict}, lost {lost}.", { ...values, lost: amountWords(turn.loss, review.unit) })
      : t("Turn {turn}: {move}. {verdict}, {expected} expected.", values);
  }

  function show(turn) {
    chosen = true;
    if (turn === current) return;
    current = turn;
    open = false;
    draw();
    window.history.replaceState(null, "", `#/review/${id}/seat/${seat + 1}/turn/${turn}`);
  }

  function drawTurn() {
    const turn = turns.get(current);
    for (const part of [about, moves, boardRoot]) part.hidden = !turn;
    if (!turn) return;
    const { unit } = review;
    const sequence = own();
    const place = sequence.indexOf(turn);
    const step = (to, text) => button(text, () => show(to.turn), { disabled: !to, "data-key": text });
    redraw(about,
      h("header", { class: "row" }, verdictMark(turn.verdict), h("h2", {}, t("Turn {turn}: {move}", { turn: turn.turn, move: moveText(turn.move) })),
        turn.verdict && h("span", { class: `tag verdict-tag ${turn.verdict.replace(" ", "-")}` }, VERDICTS.get(turn.verdict)[1])),
      turn.text && h("p", { class: "why" }, prose(turn.text, names)),
      turn.best !== turn.move && turn.loss > 0 && h("p", {}, h("strong", {}, `${t("Better:")} `), `${moveText(turn.best)} `,
        h("span", { class: "muted" }, t("({best} expected rather than {after})", { best: expectedWords(turn.value, unit), after: amount(turn.after, unit) }))),
      turn.convention && h("p", { class: "convention" }, h("strong", {}, `${t("Convention:")} `), prose(turn.convention, names)),
      h("div", { class: "row" },
        button(t("Try it"), () => tryIt(turn), { class: "primary", "data-key": "try-it", title: t("Play on from here with the same partners") }),
        game?.hides && button(open ? t("Hide what was hidden") : t("Show hidden cards"), () => { open = !open; drawTurn(); }, { "data-key": "hidden", "aria-pressed": String(open) }),
        h("span", { class: "grow" }), step(sequence[place - 1], t("Previous")), step(sequence[place + 1], t("Next"))));
    drawBoard(turn);
    redraw(moves, h("details", { open: true }, h("summary", {}, tn(turn.moves.length, "The only legal move", "All {n} legal moves")), moveTable(turn),
      turn.moves.length > 1 && h("p", { class: "muted small" }, t("Moves that fall behind are tried less often. What a move loses is measured beside the best one, in the same worlds."))));
  }

  async function drawBoard(turn) {
    const number = ++drawing;
    try {
      const past = await ask({ type: "history", turn: turn.turn - 1, as: open ? "open" : seat });
      if (number !== drawing || gone) return;
      boardRoot.dataset.turn = String(turn.turn);
      const context = {
        seats: message.seats, names, rules: message.options?.rules ?? {}, notes: {}, as: open ? "open" : seat, to_move: past.to_move ?? null, choices: [], over: false, revealed: null, past: true,
        odds: false, premoves: false, premove: null, cancelPremove() {}, sending: false, state: message.state, event: past.event ?? null, say: (text) => withNames(text, names),
      };
      board.render(past.view, context);
      last.update(context, context.event && board.describe?.(context.event));
    } catch (error) {
      if (error.code !== "broken") toast(error.message, "error");
    }
  }

  function moveTable(turn) {
    const { unit } = review;
    const perfect = turn.moves.some((move) => move.perfect !== null);
    const low = Math.min(...turn.moves.map((move) => move.value));
    const room = Math.max(turn.moves[0].value - low, 0.01);
    return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("Legal moves with what they are worth") }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Move")), h("th", { scope: "col" }, unit === "wins" ? t("Chance to win") : t("Expected points")), h("th", { scope: "col" }, t("95 % interval")), perfect && h("th", { scope: "col" }, t("{best} points", { best: game?.best ?? "" })))),
      h("tbody", {}, turn.moves.map((move) => h("tr", { class: `${move.move === turn.best ? "best" : ""} ${move.move === turn.move ? "chosen" : ""}` },
        h("th", { scope: "row" }, moveText(move.move), move.move === turn.best && h("span", { class: "tag" }, t("best")), move.move === turn.move && h("span", { class: "tag" }, t("played"))),
        h("td", { style: { "--share": `${Math.round((100 * (move.value - low)) / room)}%` }, class: "worth" }, amount(move.value, unit, 2)),
        h("td", {}, interval(move)),
        perfect && h("td", {}, move.perfect === null ? "–" : `${Math.round(100 * move.perfect)} %`))))));
  }

  function interval(move) {
    if (move.error === null) return t("unknown");
    if (move.error === 0) return t("exact");
    const within = (value) => amount(review.unit === "wins" ? Math.min(Math.max(value, 0), 1) : value, review.unit, 2);
    return `${within(move.value - Z95 * move.error)} … ${within(move.value + Z95 * move.error)}`;
  }

  // A table that continues from here with the same partners: the visitor takes the reviewed seat.
  const tryIt = (turn) => later(import("./setup.js"), "whatIf", shell, { game, table: id, message: { ...message, as: seat }, past: { to_move: seat }, names }, turn.turn - 1);

  async function count() {
    const token = storage.seat(id)?.token;
    if (counted || !token || partners || storage.seat(id)?.seat === null) return;
    counted = true;
    await askOwn(shell, { type: "progress", table: id, token }).catch(() => {}); // a seat that was only held for a while
  }

  function hear(said) {
    if (said.table !== id) return false;
    if (said.type === "view") {
      if (message) Object.assign(message, { state: said.state });
      else begin(said).catch((error) => toast(t("The board could not be drawn: {message}", { message: error.message }), "error"));
    }
    if (said.type === "review" && (said.partners ?? "") === partners && (!partners || said.seat === seat)) {
      const { turns: found, ...fields } = said;
      review = fields;
      for (const turn of found) turns.set(turn.turn, turn);
      draw();
      if (review.state === "done") {
        announce(t("The review is complete."));
        count();
      }
    }
    return true;
  }

  return {
    get game() {
      return message?.game;
    },
    get rules() {
      return message?.options?.rules;
    },
    keys: [["← / →", t("previous, next decision")]],
    ready: enter,
    broken() {
      message = null; // the table is sent again
    },
    hear,
    key(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || !review || event.target.closest?.("[tabindex]:not(main), select")) return false;
      const sequence = own();
      const to = sequence[sequence.findIndex((turn) => turn.turn === current) + step];
      if (to) show(to.turn);
      return true;
    },
    stay(again) {
      wanted = { seat: numberAfter(again, "seat"), turn: numberAfter(again, "turn") };
      if (own().some((turn) => turn.turn === wanted.turn)) show(wanted.turn);
      return true;
    },
    leave() {
      gone = true;
      drawing++;
      board?.leave?.();
      if (!shell.connection.ready) return;
      shell.connection.send({ type: "review", table: id, on: false });
      shell.connection.send({ type: "leave", table: id });
    },
  };
}

