// The one WebSocket of a visitor. It comes back by itself after every break, waiting a little longer each time.

import * as keep from "./keep.js";

const VERSION = 1;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;

const hello = () => ({ type: "hello", version: VERSION, name: keep.name() || undefined });

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
    socket.addEventListener("open", () => this.put(hello()));
    socket.addEventListener("message", (frame) => this.hear(JSON.parse(frame.data)));
    socket.addEventListener("close", () => socket === this.socket && this.broken());
  }

  // The visitor is called something else from now on.
  rename() {
    if (this.ready) this.ask(hello(), true).catch(() => {}); // a connection that breaks says hello anyway
  }

  broken() {
    this.ready = false;
    for (const { reject } of this.asked.values()) reject(new Refused("broken", "The connection to the server broke."));
    this.asked.clear();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.7 ** this.breaks++) * (0.7 + 0.6 * Math.random());
    this.waiting = setTimeout(() => this.open(), wait);
    this.dispatchEvent(new Event("broken"));
  }

  hurry() {
    if (this.waiting) this.open();
  }

  hear(message) {
    if (message.type === "welcome" && message.request === undefined) {
      this.ready = this.everReady = true;
      this.breaks = 0;
      this.server = message.server;
      this.programs = message.programs; // the port where bots from elsewhere join
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
    this.socket.send(JSON.stringify(message));
  }

  // Say something that is answered by what everybody hears.
  tell(message) {
    if (this.ready) this.put(message);
    else this.dispatchEvent(new CustomEvent("heard", {
      detail: { type: "error", code: "broken", message: "Not connected at the moment; kibitz is trying to come back." },
    }));
  }

  // Ask something and wait for its answer, which pages also hear unless it is meant for the asker alone.
  ask(message, quiet = false) {
    if (!this.ready) return Promise.reject(new Refused("broken", "Not connected at the moment."));
    const request = ++this.requests;
    return new Promise((resolve, reject) => {
      this.asked.set(request, { resolve, reject, quiet });
      this.put({ ...message, request });
    });
  }
}
