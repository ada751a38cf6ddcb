// The one WebSocket of a visitor. It comes back by itself after every break, waiting a little longer each time. A server
// that says nothing is asked whether it is there, and given up if it does not answer.

import * as storage from "./storage.js";

const VERSION = 1;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const TICK = 500;
const PING_AFTER = 1000; // what was sent may need no answer; a ping does
const HEARTBEAT = 4000; // of silence, while the page waits for news
const SILENT = 3000; // people are told
const GIVEN_UP = 5000;
const SLOW = 30000; // for requests with an answer of their own: they are done one after the other, and may take long
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
    this.since = null; // when the first message was sent that nothing has been heard after
    this.pinged = false;
    this.patient = false; // the server has said that it takes a while
    this.waits = false; // whether the page waits for news, and wants to know that the server is there
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

  // The visitor is called something else from now on.
  rename() {
    if (this.ready) this.ask(hello(), true).catch(() => {}); // a connection that breaks says hello anyway
  }

  broken() {
    this.ready = false;
    this.since = null;
    for (const { reject } of this.asked.values()) reject(new Refused("broken", "The connection to the server was lost."));
    this.asked.clear();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.7 ** this.breaks++) * (0.7 + 0.6 * Math.random());
    this.waiting = setTimeout(() => this.open(), wait);
    this.dispatchEvent(new Event("broken"));
  }

  // For how many seconds the server has owed an answer; 0 as long as that is usual.
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

  // Give up a connection without waiting until its other end agrees.
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
    this.patient = message.type === "patience";
    if (silent) this.dispatchEvent(new Event("answers"));
    if (message.type === "pong") return;
    if (message.type === "welcome" && message.request === undefined) {
      this.ready = this.everReady = true;
      this.breaks = 0;
      this.server = message.server;
      this.programs = message.programs; // the port where bots from elsewhere join
      this.quickWords = message.quick_words; // what can be said at a table by its number
      this.dispatchEvent(new Event("ready"));
      return;
    }
    if (message.type === "patience") return this.dispatchEvent(new CustomEvent("heard", { detail: message }));
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

  // Say something that is answered by what everybody hears.
  send(message) {
    if (this.ready) this.put(message);
    else this.dispatchEvent(new CustomEvent("heard", {
      detail: { type: "error", code: "broken", message: "Not connected; reconnecting." },
    }));
  }

  // Ask something and wait for its answer, which pages also hear unless it is meant for the asker alone.
  ask(message, quiet = false) {
    if (!this.ready) return Promise.reject(new Refused("broken", "Not connected; reconnecting."));
    const request = ++this.requests;
    return new Promise((resolve, reject) => {
      this.asked.set(request, { resolve, reject, quiet });
      this.put({ ...message, request });
    });
  }
}
