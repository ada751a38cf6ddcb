// @ts-check
// The table page: the game's board, surrounded by history, kibitz panel, seats and replay bar.

import { announce, button, h, later, redraw, toast } from "./dom.js";
import { mountBoard } from "./boards.js";
import { createTable } from "./create_table.js";
import { moveClock, substituteNotice } from "./clock.js";
import { tablePanel } from "./table_panel.js";
import { progress } from "./guide_start.js";
import { historyPanel } from "./history.js";
import { kibitzPanel } from "./kibitz.js";
import { knownDealNotice } from "./known_deal.js";
import { chatPanel } from "./chat.js";
import { lastMove } from "./last_move.js";
import { rulesNote } from "./names.js";
import { rematchNotice, rematchOffer, waitingFor } from "./rematch.js";
import { replayBar } from "./replay.js";
import { sidePanels } from "./side.js";
import { sound } from "./sound.js";
import { delayWords, delayedView } from "./spectators.js";
import { undoBar } from "./undo.js";
import { liveReasons } from "./live_reasons.js";
import { Holders, seatNames, withNames, withSeatNumbers } from "./seat_names.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const KEYS = [[t("← and →, or [ and ]"), t("previous turn, next turn")], [t("Home, End"), t("the start, the present")]];

const HURRY = 350;
const ANSWERED = 120; // milliseconds in which most moves are answered
const SECOND = 1000;
const TICK = 500;

export function showTable(main, shell, words) {
  const id = words[0];
  const at = { table: id, message: null, events: [], reasons: new Map(), premove: null, names: [], holders: new Holders(), invitations: [], token: null, past: null, away: false, sent: null, wanted: turnIn(words) };
  const boardRoot = h("div", { class: "board", id: "board" });
  const banner = h("div", { class: "banner" });
  const last = lastMove();
  const head = h("div", { class: "table-head" });
  const place = document.getElementById("place"); // in the bar at the top, which always stays visible
  const rules = rulesNote();
  let board = null;
  let guide = null; // of a guided game
  let happened = null; // an event whose view has not arrived
  let shown = null; // the turn on screen, on which the player's decision is based
  let drawn = 0; // when it was drawn
  let rested = 0; // when the page may redraw unrequested updates
  let due = null; // timer of a postponed redraw
  let unanswered = null; // timer of the redraw that shows that a move takes long
  let gone = false;
  let deleted = false;
  let begun = performance.now(); // when the current turn became known here
  const ticking = setInterval(tick, TICK);
  addEventListener("settings", draw);

  const requests = {
    move(move) {
      if (shown === null || at.sent === shown) return; // a second click before the first was answered
      if (guide?.refuses(move)) return draw();
      at.sent = shown;
      shell.connection.send({ type: "move", table: id, turn: shown, move });
      boardRoot.classList.remove("your-turn");
      boardRoot.classList.add("sending"); // seen at once; the board is drawn again with the answer, or if it takes long
      tick();
      unanswered = setTimeout(draw, ANSWERED);
    },
    // In an open game of two: a move made before it is one's turn. `find(choices)` finds it among the legal moves then.
    premove(find, words) {
      at.premove = find && mayPremove() ? { find, words, turn: at.message.turn } : null;
      if (at.premove) announce(t("Premove: {words}. Escape cancels it.", { words }));
      draw();
    },
    note(mark, text) {
      shell.connection.send({ type: "note", table: id, mark, text });
      at.message.note_turns = { ...at.message.note_turns, [mark]: at.message.turn };
      const { [mark]: old, ...others } = at.message.notes ?? {};
      at.message.notes = text ? { ...others, [mark]: text } : others;
      draw();
    },
    send: (message) => shell.connection.send({ ...message, table: id }),
    ask: (message) => shell.connection.ask({ ...message, table: id }, true),
    askAll: (message) => shell.connection.ask({ ...message, table: id }), // answers also arrive as messages
  };
  const whys = liveReasons(at, requests, () => history.update(at));
  const history = historyPanel({ point, pick: (turn) => replay.go(turn), more: whys.button });
  const kibitz = kibitzPanel(at, requests, { point: (choice) => board?.highlight?.(choice), odds: (odds) => board?.odds?.(odds), board: boardRoot });
  const around = tablePanel(at, shell, requests);
  const replay = replayBar(at, shell, requests, showPast);
  const undo = undoBar(at, requests, () => replay.present());
  const delayed = delayedView(at, replay);
  const chat = chatPanel(at, shell, requests);
  const sharedPlace = h("div", {});
  let shared = null; // loaded when the game may be seen by everybody
  let sharing = null; // the promise of it
  const clock = moveClock(at);
  const rematch = rematchOffer(at, shell, draw, again);
  const side = sidePanels([history.panel, kibitz.panel, chat.panel, around.panel], replay.element, undo.element, sharedPlace);
  place.replaceChildren(head, rules.element);
  main.append(
    h("div", { class: "at-table" },
      h("section", { class: "play", "aria-label": t("Table") }, banner, delayed.element, boardRoot), side.element));
  boardRoot.append(h("p", { class: "muted loading" }, t("Loading the board …")));

  async function enter() {
    const held = storage.seat(id);
    if (held?.token) {
      try {
        await shell.connection.ask({ type: "resume", table: id, token: held.token });
        return;
      } catch (error) {
        if (error.code === "broken" || gone) return;
        if (error.code === "not_yours") storage.forgetSeat(id);
        else return missing(error);
      }
    }
    shell.connection.ask({ type: "spectate", table: id }).catch((error) => error.code !== "broken" && !gone && missing(error));
  }

  function missing(error) {
    if (error.code === "unknown") storage.forgetSeat(id);
    redraw(main, h("div", { class: "card join" }, h("h1", {}, t("Table not found")), h("p", {}, error.message), h("a", { href: "#/", class: "button" }, t("Back to the lobby"))));
  }

  async function seatedAt(message) {
    board = await mountBoard(message.game, boardRoot, {
      move: requests.move,
      premove: requests.premove,
      note: requests.note,
      announce,
      lastMove: last.element,
      odds: kibitz.odds,
    });
    if (!last.element.isConnected) boardRoot.after(last.element); // the board does not place it
    page.keys = [...(board.keys ?? []), ...undo.keys, ...chat.keys, ...KEYS];
    if (progress(message.game).table === id) guide = await (await import("./guide.js")).guideAt(at, boardRoot);
    if (gone) return guide?.leave();
    document.title = `${titleOf(message.game)} · kibitz`;
    draw();
    if (at.wanted) replay.go(at.wanted.turn, at.wanted.as);
  }

  const titleOf = (name) => at.game?.title ?? name;

  function context() {
    const { message, past } = at;
    const event = (past ? past.event : at.events[message.turn - 1]) ?? null;
    const names = past ? at.holders.after(past.turn) : at.names;
    return {
      seats: message.seats, names, rules: message.options?.rules ?? {}, notes: notesThen(),
      as: past ? past.as : message.as,
      to_move: (past ?? message).to_move ?? null,
      choices: past || at.away || sending() ? [] : message.choices ?? [],
      over: !past && message.state === "finished",
      revealed: past ? null : message.open_view ?? null, // after the game: the view with all hands open
      past: Boolean(past),
      odds: !kibitz.off(),
      premoves: mayPremove(),
      premove: past ? null : at.premove?.words ?? null,
      cancelPremove: () => requests.premove(null),
      sending: !past && sending(),
      state: message.state,
      event,
      say: (text) => withNames(text, text === event?.text ? at.holders.at(event) : names),
    };
  }

  function mayPremove() {
    const { message } = at;
    return !at.past && !at.away && message.state === "running" && message.seats.length === 2 && !at.game?.hides && typeof message.as === "number"
      && message.seats[message.as].kind === "person" && message.to_move !== message.as && message.to_move !== null && !message.options?.analysis_board;
  }

  // One's turn has come: make the move decided on before, if it is legal.
  function makePremove() {
    const { premove, message } = at;
    if (message.state !== "running") at.premove = null;
    if (!premove || message.turn <= premove.turn || !message.choices?.length) return;
    at.premove = null;
    const choice = premove.find(message.choices);
    draw();
    if (choice) requests.move(choice.move);
    else toast(t("Your premove, {words}, is not possible now.", { words: premove.words }));
  }

  // A past view shows only the notes that existed then.
  function notesThen() {
    const { message, past } = at;
    const noted = message.note_turns ?? {};
    return Object.fromEntries(Object.entries(message.notes ?? {}).filter(([mark]) => !past || (noted[mark] ?? 0) <= past.turn));
  }

  const shareReplay = () => sharing ??= import("./shared_replay.js").then(({ sharedReplay }) => {
    shared = sharedReplay(at, requests, replay, (event) => board?.highlight?.(event));
    sharedPlace.append(shared.element);
    shared.update();
    return shared;
  });

  // The panel that is needed most: invitations while players are missing, the controls of bots that one watches.
  function panelFor() {
    const { as, state, options = {} } = at.message;
    return state === "waiting" || (state === "running" && options.host && typeof as !== "number") ? "around" : null;
  }

  const free = () => at.message.state === "finished" || at.message.state === "abandoned" || Boolean(at.message.options?.analysis_board);

  // Drawing takes at most half of the time: views that arrive faster are skipped.
  const inTime = () => due === null && performance.now() >= rested;

  function drawInTime() {
    if (inTime()) draw();
    else due ??= setTimeout(draw, rested - performance.now());
  }

  function draw() {
    clearTimeout(due);
    clearTimeout(unanswered);
    due = null;
    if (!board || !at.message || gone) return;
    const started = performance.now();
    const shownContext = context();
    boardRoot.classList.toggle("sending", shownContext.sending);
    board.render((at.past ?? at.message).view, shownContext);
    last.update(shownContext, shownContext.event && board.describe?.(shownContext.event));
    drawHead();
    whys.update();
    kibitz.update();
    around.update();
    replay.update();
    undo.update();
    delayed.update();
    chat.update();
    if (shared) shared.update();
    else if (free() || at.message.options?.open) shareReplay();
    guide?.update();
    side.offer(panelFor());
    side.element.classList.toggle("looking-back", Boolean(at.past) || free());
    history.update(at); // last: it scrolls in the space left by the others
    shown = at.message.turn;
    drawn = performance.now();
    rested = 2 * drawn - started;
  }

  const sending = () => at.sent !== null && at.sent === at.message.turn && at.message.state === "running";

  function whose() {
    const { message } = at;
    if (at.past) return t("Replay: turn {turn} of {last}", { turn: at.past.turn, last: message.turn });
    if (at.away) return t("Reconnecting …");
    if (message.state === "waiting") return waitingFor(message, at.names);
    if (message.state === "finished") return t("The game is over");
    if (message.state === "abandoned") return t("Unfinished game");
    const { silence } = shell.connection;
    if (sending()) return silence ? t("Move sent: no answer for {silence} s", { silence }) : t("Sending your move …");
    if (silence) return t("No answer from the server for {silence} s", { silence });
    if (message.options?.analysis_board) return t("Move for {name}", { name: at.names[message.to_move] ?? "…" });
    if (message.to_move === message.as && message.seats[message.as]?.kind === "person") return `${t("Your turn")}${clock.words(true)}`;
    return `${at.names[message.to_move] ?? "…"}${timeShown()}`;
  }

  // The time left of the player to move, or without a limit how long they have been thinking.
  function timeShown() {
    const { options = {}, seats, to_move } = at.message;
    const seat = seats[to_move];
    if (seat?.kind === "person" && !seat.program) return clock.words(false) || ` ${t("is thinking")}`;
    const limit = options.seconds?.[seat?.kind === "bot" ? "bot" : "program"];
    const waited = performance.now() - begun;
    if (options.paused || waited < Math.max(SECOND, options.bot_delay ?? 0)) return ` ${t("is thinking")}`; // a bot that is ready keeps the pace
    const seconds = Math.floor(waited / SECOND);
    if (!limit) return ` ${t("is thinking · {seconds} s", { seconds })}`;
    return seconds <= limit ? ` · ${t("{time} left", { time: `${limit - seconds} s` })}` : ` ${t("is thinking · {seconds} s (the first move may take longer)", { seconds })}`;
  }

  function tick() {
    const words = board && at.message && whose();
    const shownWords = document.getElementById("whose");
    if (words && shownWords && shownWords.textContent !== words) shownWords.textContent = words;
  }

  function drawHead() {
    const { message } = at;
    const mine = typeof message.as === "number";
    const words = whose();
    shell.connection.waits = mine && message.state === "running";
    const yours = !at.past && !at.away && !sending() && mine && message.state === "running" && message.to_move === message.as;
    redraw(head,
      h("h1", {}, titleOf(message.game)),
      at.game && button(t("Rules"), () => later(import("./help.js"), "showRules", at.game, message.options?.rules), { class: "quiet rules-button", "data-key": "rules", "aria-label": t("Rules of {title}", { title: titleOf(message.game) }) }),
      h("p", { class: `whose ${yours ? "yours" : ""}`, id: "whose" }, words),
      message.as === "spectator" && h("span", { class: "tag" }, t("Spectating")),
      message.options?.analysis_board ? h("span", { class: "tag" }, t("Analysis board, not counted"))
        : message.options?.open && at.game?.hides && message.state === "running" && h("span", { class: "tag" }, t("All hands open")),
      message.state === "running" && message.options?.spectators > 0 && h("span", { class: "tag", title: at.game?.late_words }, t("Spectators: {delay}", { delay: delayWords(message.options.spectators) })),
      message.options?.origin && h("a", { class: "tag", href: `#/table/${message.options.origin.table}/turn/${message.options.origin.turn}` }, (message.options.analysis_board ? t("Analysis: after turn {turn} of another game", { turn: message.options.origin.turn }) : t("What if: after turn {turn} of another game", { turn: message.options.origin.turn }))),
      message.options?.undo_count > 0 && h("span", { class: "tag" }, t("With undo")),
      message.options?.paused && message.state === "running" && h("span", { class: "tag" }, t("Paused")));
    rules.update(at.game, message.options?.rules);
    document.title = `${yours ? "● " : ""}${titleOf(message.game)} · kibitz`;
    const over = message.state === "finished" && !at.past;
    redraw(banner, over && h("div", { class: "over" },
      h("p", {}, withNames(message.verdict ?? t("The game is over."), at.names)),
      h("div", { class: "row" },
        at.game?.reviewed && button(t("Review"), () => shell.go(`/review/${id}`), { class: "primary", "data-key": "review" }),
        button(t("Replay the game"), () => replay.go(0), { "data-key": "replay-it" }),
        rematch.buttons())),
      over && rematch.invitation(), rematchNotice(message, at.names), knownDealNotice(message), substituteNotice(at, requests));
  }

  function point(event) {
    board?.highlight?.(event);
    shared?.point(event);
  }

  // Spectators restart bots at a table of their own.
  function again() {
    const { message } = at;
    const seats = message.seats.map((seat) => (seat.agent ? { kind: "bot", agent: seat.agent } : { kind: "open" }));
    createTable(shell, { type: "create", game: message.game, seats, rules: message.options?.rules, bot_delay: message.options?.bot_delay ?? 700, kibitz: message.options?.kibitz ?? true });
  }

  function showPast(past) {
    at.past = past;
    if (!past) delayed.stop();
    shared?.moved();
    draw();
    if (past) announce(past.turn === 0 ? t("Start of the game.") : t("Turn {turn}: {event}", { turn: past.turn, event: withNames(past.event?.text, at.holders.after(past.turn - 1)) }));
  }

  // The viewer's own turn has its own tone, when the server requests a move.
  function soundOf(event) {
    const { state, to_move, as } = at.message;
    if (board.describe?.(event)?.mistake) sound("mistake");
    if (state === "finished") sound("end");
    else if (to_move !== as) sound("move");
  }

  function hear(message) {
    if (message.type === "error" && at.sent !== null) {
      at.sent = null;
      draw();
    }
    if (message.table !== id) return message.type !== "error" && "table" in message;
    const hearing = HEARING[message.type];
    hearing?.(message);
    return Boolean(hearing);
  }

  const HEARING = {
    seat(message) {
      at.invitations = message.invitations ?? at.invitations;
      at.token = message.token;
      storage.setSeat(id, { token: message.token, seat: message.seat, host: message.host, invitations: message.invitations });
    },
    events(message) {
      at.sent = at.premove = null;
      shared?.begin();
      replay.begin(message.events?.length ?? 0);
      at.events = message.events ?? [];
      at.reasons.clear(); // they are sent again
      at.holders = new Holders(message.seat_history);
    },
    event({ event }) {
      if (event.turn > at.events.length) at.events.push(event);
      happened = event;
      announce(withNames(event.text, at.holders.at(event)));
    },
    view(message) {
      const first = at.message === null;
      if (at.message?.turn !== message.turn || at.message.to_move !== message.to_move) begun = performance.now();
      at.away = false;
      at.message = message;
      clock.note(message);
      at.game = shell.catalogue.find((game) => game.name === message.game);
      at.names = seatNames(message.seats);
      at.holders.note(message.turn, at.names);
      replay.forget();
      if (first) seatedAt(message).catch((error) => toast(t("The board could not be drawn: {message}", { message: error.message }), "error"));
      else if (board) {
        // Moves that arrive too fast are not animated.
        if (happened && !at.past && inTime() && performance.now() - drawn > HURRY) board.animate?.(happened, message.view);
        drawInTime();
        if (happened) soundOf(happened);
        makePremove();
        if (message.state === "finished") announce(withNames(message.verdict, at.names));
      }
      happened = null;
      delayed.heard();
    },
    seats(message) {
      if (!at.message) return;
      clock.note(message);
      Object.assign(at.message, { seats: message.seats, options: message.options ?? at.message.options, state: message.state ?? at.message.state });
      at.names = seatNames(message.seats);
      at.holders.note(message.turn, at.names);
      drawInTime();
    },
    your_turn() {
      sound("turn");
      announce(t("Your turn."));
    },
    notice(message) {
      toast(withSeatNumbers(message.text));
    },
    reasons(message) {
      for (const each of message.reasons) at.reasons.set(each.turn, each.reason);
      if (due === null) history.update(at);
    },
    chat: (message) => chat.hearAll(message),
    chat_line: (message) => chat.hear(message),
    replay_leader: (message) => shareReplay().then((part) => part.hear(message)),
    options() {},
    advice(message) {
      kibitz.hear(message);
    },
    ok() {},
    deleted() {
      storage.forgetSeat(id);
      toast(t("Table deleted."));
      deleted = true;
      shell.go("/");
    },
  };

  const page = {
    keys: KEYS,
    get game() {
      return at.message?.game;
    },
    get rules() {
      return at.message?.options?.rules;
    },
    ready: enter,
    broken() {
      at.sent = null;
      at.away = true; // the view may be out of date, and no move would arrive
      kibitz.broken();
      draw();
    },
    hear,
    key(event) {
      if (event.key === "Escape" && at.premove) return requests.premove(null), true;
      return (!at.past && board?.key?.(event)) || undo.key(event) || chat.key(event, side.open) || side.key(event) || replay.key(event) || (at.past && board?.key?.(event));
    },
    keyUp: (event) => board?.keyUp?.(event),
    stay(again) {
      const wanted = turnIn(again);
      if (wanted && (at.past?.turn !== wanted.turn || at.past?.as !== wanted.as)) replay.go(wanted.turn, wanted.as);
      if (!wanted && at.past) replay.present();
      return true;
    },
    leave() {
      gone = true;
      place.replaceChildren();
      clearInterval(ticking);
      clearTimeout(unanswered);
      removeEventListener("settings", draw);
      shell.connection.waits = false;
      board?.leave?.();
      whys.leave();
      guide?.leave();
      replay.leave();
      chat.leave();
      shared?.leave();
      if (shell.connection.ready && !deleted) requests.send({ type: "leave" });
    },
  };
  return page;
}

// #/table/ID/turn/12/as/open
function turnIn(words) {
  const turn = words.indexOf("turn") > 0 ? Number(words[words.indexOf("turn") + 1]) : NaN;
  if (!Number.isInteger(turn)) return null;
  const as = words.indexOf("as") > 0 ? words[words.indexOf("as") + 1] : undefined;
  return { turn, as: /^\d+$/.test(as ?? "") ? Number(as) : as };
}
