// @ts-check
// The visitor's WebSocket. It reconnects after every break, with growing delays. A silent server is pinged, and the
// connection dropped if no answer comes.

import * as storage from "./storage.js";
import { t } from "./texts.js";

const VERSION = 2;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const TICK = 500;
const PING_AFTER = 1000; // a message may need no answer; a ping does
const HEARTBEAT = 4000; // of silence, while the page waits for messages
const SILENT = 3000; // then shown to the visitor
const GIVEN_UP = 5000;
const SLOW = 30000; // for requests with their own answer: they run one after the other and may take long
const CONNECTING = 10000;

const hello = () => ({ type: "hello", version: VERSION, name: storage.name() || undefined });

export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Connection extends EventTarget {
  constructor() {
    super();
    this.ready = false;
    this.everReady = false;
    this.breaks = 0;
    this.asked = new Map();
    this.requests = 0;
    this.since = null; // when the first unanswered message was sent
    this.pinged = false;
    this.patient = false; // the server has announced a long answer
    this.waits = false; // whether the page waits for messages and checks that the server is alive
    setInterval(() => this.watch(), TICK);
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    this.open();
  }

  open() {
    clearTimeout(this.waiting);
    this.waiting = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    this.opened = this.heard = performance.now();
    this.since = null;
    this.pinged = this.patient = false;
    socket.addEventListener("open", () => socket === this.socket && this.put(hello()));
    socket.addEventListener("message", (frame) => socket === this.socket && this.hear(JSON.parse(frame.data)));
    socket.addEventListener("close", () => socket === this.socket && this.broken());
  }

  // Send the visitor's new name.
  rename() {
    if (this.ready) this.ask(hello(), true).catch(() => {}); // a new connection says hello anyway
  }

  broken() {
    this.ready = false;
    this.since = null;
    for (const { reject } of this.asked.values()) reject(new Refused("broken", t("The connection to the server was lost.")));
    this.asked.clear();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.7 ** this.breaks++) * (0.7 + 0.6 * Math.random());
    this.waiting = setTimeout(() => this.open(), wait);
    this.dispatchEvent(new Event("broken"));
  }

  // The seconds for which an answer is overdue; 0 while the delay is normal.
  get silence() {
    const waited = this.since === null ? 0 : performance.now() - this.since;
    return waited < SILENT || this.patient ? 0 : Math.floor(waited / 1000);
  }

  watch() {
    const now = performance.now();
    if (this.waiting) return;
    if (!this.ready) {
      if (now - this.opened > CONNECTING) this.drop();
      return;
    }
    if (this.patient) return;
    const quiet = this.since === null ? this.waits && now - this.heard > HEARTBEAT : now - this.since > PING_AFTER;
    if (quiet && !this.pinged) {
      this.pinged = true;
      this.put({ type: "ping" });
    }
    if (this.silence) this.dispatchEvent(new Event("silent"));
    if (this.since !== null && now - this.since > (this.asked.size ? SLOW : GIVEN_UP)) this.drop();
  }

  // Drop a connection without waiting for the server's close frame.
  drop() {
    const { socket } = this;
    this.socket = null;
    socket.close();
    this.broken();
  }

  hurry() {
    if (this.waiting) this.open();
  }

  hear(message) {
    const silent = this.silence > 0;
    this.heard = performance.now();
    this.since = null;
    this.pinged = false;
    this.patient = message.type === "pending";
    if (silent) this.dispatchEvent(new Event("answers"));
    if (message.type === "pong") return;
    if (message.type === "welcome" && message.request === undefined) {
      this.ready = this.everReady = true;
      this.breaks = 0;
      this.server = message.server;
      this.programs = message.programs; // the port where bots from elsewhere join
      this.quickWords = message.quick_words; // chat phrases, sent by number
      this.dispatchEvent(new Event("ready"));
      return;
    }
    if (message.type === "pending") return this.dispatchEvent(new CustomEvent("heard", { detail: message }));
    const waiting = message.request !== undefined && this.asked.get(message.request);
    if (waiting) {
      this.asked.delete(message.request);
      if (message.type === "error") waiting.reject(new Refused(message.code, message.message));
      else waiting.resolve(message);
      if (message.type === "error" || waiting.quiet) return;
    }
    this.dispatchEvent(new CustomEvent("heard", { detail: message }));
  }

  put(message) {
    this.since ??= performance.now();
    this.socket.send(JSON.stringify(message));
  }

  // Send a message whose effect is broadcast.
  send(message) {
    if (this.ready) this.put(message);
    else this.dispatchEvent(new CustomEvent("heard", {
      detail: { type: "error", code: "broken", message: t("Not connected; reconnecting.") },
    }));
  }

  // Send a request and wait for its answer, which pages also hear unless `quiet`.
  ask(message, quiet = false) {
    if (!this.ready) return Promise.reject(new Refused("broken", t("Not connected; reconnecting.")));
    const request = ++this.requests;
    return new Promise((resolve, reject) => {
      this.asked.set(request, { resolve, reject, quiet });
      this.put({ ...message, request });
    });
  }
}
