// @ts-check
// The replay bar: step, jump, autoplay, choose a viewpoint, link, what-if, analysis board, export.

import { button, copyText, h, icon, later, options, redraw, toast } from "./dom.js";
import { createTable } from "./create_table.js";
import { t } from "./texts.js";

const STEP_EVERY = 1100;

// A focused element that scrolls sideways needs the arrow keys itself.
const scrollsSideways = (element) => element.matches?.("[tabindex]:not(main)") && element.scrollWidth > element.clientWidth;

export function replayBar(at, shell, requests, show) {
  const element = h("div", { class: "replay", role: "group", "aria-label": t("Replay") });
  const seen = new Map(); // past views by turn and viewer
  let viewer; // the viewpoint; undefined: the visitor's own
  let playing = null;
  let asked = 0; // the number of the last request: earlier answers are ignored
  let aim = null; // the requested turn

  const free = () => at.message && (at.message.state === "finished" || at.message.state === "abandoned" || at.message.options?.open);
  const line = () => Boolean(at.message?.options?.analysis_board); // where all hands are open also in the present
  const last = () => at.message?.turn ?? 0;
  const current = () => aim ?? at.past?.turn ?? last();
  // The last turn that may be seen with open hands: delayed spectators may look back.
  const openUntil = () => (free() ? last() : at.message.open_until ?? -1);
  const as = (turn) => (turn <= openUntil() ? viewer ?? (typeof at.message.as === "number" && !line() ? at.message.as : "open") : at.message.as);

  async function go(turn, viewedAs) {
    if (!at.message) return;
    turn = Math.max(0, Math.min(last(), turn));
    if (viewedAs !== undefined && turn <= openUntil()) viewer = viewedAs;
    const seer = as(turn);
    if (turn === last() && (seer === at.message.as || (line() && seer === "open"))) return present();
    const number = ++asked;
    aim = turn;
    const key = `${turn}/${seer}`;
    try {
      if (!seen.has(key)) seen.set(key, await requests.ask({ type: "history", turn, as: seer }));
      if (number !== asked) return;
      aim = null;
      const address = `#/table/${at.table}/turn/${turn}${free() ? `/as/${seer}` : ""}`;
      window.history.replaceState(null, "", address);
      show({ ...seen.get(key), turn, as: seer });
    } catch (error) {
      aim = null;
      stop();
      if (error.code !== "broken") toast(error.message, "error");
    }
  }

  function present() {
    asked++;
    aim = null;
    window.history.replaceState(null, "", `#/table/${at.table}`);
    viewer = undefined;
    show(null);
  }

  function play() {
    if (playing) return stop();
    if (current() >= last()) go(0);
    playing = setInterval(() => {
      if (current() >= last()) stop();
      else go(current() + 1);
    }, STEP_EVERY);
    update();
  }

  function stop() {
    clearInterval(playing);
    playing = null;
    update();
  }

  function update() {
    const { message } = at;
    if (!message || message.turn === 0 && !free()) return redraw(element);
    const turn = current();
    const slider = h("input", { type: "range", min: 0, max: last(), step: 1, "data-key": "jump", "aria-label": t("Turn to show"), oninput: () => go(Number(slider.value)) });
    slider.value = turn;
    slider.setAttribute("aria-valuetext", `turn ${turn} of ${last()}`);
    const seats = options(h("select", { "aria-label": t("Seen from"), "data-key": "seen-by", onchange: () => go(turn, /^\d$/.test(seats.value) ? Number(seats.value) : seats.value) }),
      [["open", free() ? t("All hands open") : t("All that may be shown")], ...(free() ? at.names.map((name, seat) => [seat, name]) : []), ["spectator", t("Spectator")]], as(turn));
    const step = (text, label, to, off) => button(text, () => { stop(); go(to); }, { "aria-label": label, title: label, class: "quiet", "data-key": label, disabled: off });
    redraw(element,
      h("div", { class: "row" },
        h("span", { class: "steps" }, [step(icon("first"), t("Start"), 0, turn === 0),
        step(icon("back"), t("Previous turn"), turn - 1, turn === 0),
        free() && button(icon(playing ? "pause" : "play"), play, { class: "quiet", "aria-label": playing ? t("Pause") : t("Autoplay"), title: t("Autoplay"), "data-key": "autoplay" }),
        step(icon("forward"), t("Next turn"), turn + 1, turn >= last() ),
        step(icon("last"), t("Last turn"), last(), turn >= last())].filter(Boolean)),
        h("span", { class: "jump" }, slider, h("span", { class: "count" }, `${turn} / ${last()}`))),
      (free() || at.past) && h("div", { class: "row" },
        turn <= openUntil() && at.game?.hides && seats,
        h("span", { class: "grow" }),
        free() && at.game?.reviewed && !at.message.options?.analysis_board && at.message.state !== "running" && button(t("Review"), () => shell.go(`/review/${at.table}/turn/${turn + 1}`), { "data-key": "review-turn" }),
        free() && button(t("Copy link"), () => copyText(`${location.origin}/#/table/${at.table}/turn/${turn}/as/${as(turn)}`, t("Link to this turn")), { "data-key": "link" }),
        free() && button(t("Analysis board"), () => createTable(shell, { type: "analysis_board", table: at.table, turn }), { "data-key": "free-line", title: at.game?.hides ? t("Continue from here with all hands open, moving for every seat") : t("Continue from here, moving for every seat") }),
        free() && button(t("What if …"), () => later(import("./setup.js"), "whatIf", shell, at, turn), { "data-key": "what-if" }),
        free() && (at.game?.formats.length
          ? button(t("Export …"), () => later(import("./import_export.js"), "exportGame", at.game, at.table), { "data-key": "export" })
          : h("a", { class: "button", href: `/api/tables/${at.table}.json`, download: "" }, t("Export"))),
        at.past && button(t("Back to the present"), () => { stop(); present(); }, { "data-key": "present", class: "primary" })));
  }

  return {
    element,
    go,
    present,
    update,
    // A new view arrived: past views stay valid.
    forget() {
      if (playing) update();
    },
    // The list of moves was reset: some may have been taken back.
    begin(turn) {
      seen.clear();
      if ((aim ?? at.past?.turn ?? 0) > turn) {
        stop();
        present();
      }
    },
    key(event) {
      const [back, forward] = [current() - 1, current() + 1];
      const step = { "[": back, "]": forward, ArrowLeft: back, ArrowRight: forward, Home: 0, End: last() }[event.key];
      if (step === undefined || !at.message || (event.key.startsWith("Arrow") && scrollsSideways(event.target))) return false;
      if (event.repeat && aim !== null) return true; // a held key waits for each answer
      if (event.key === "End" && !free()) present();
      else go(step);
      return true;
    },
    leave: () => clearInterval(playing),
  };
}
