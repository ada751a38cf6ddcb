// @ts-check
// Short synthesized tones for events at a table, as the settings say.

import { setting } from "./settings.js";

// Per tone: frequency in Hz, start and duration in seconds.
const TONES = {
  move: [[523, 0, 0.09]],
  turn: [[659, 0, 0.12], [880, 0.12, 0.2]],
  mistake: [[208, 0, 0.22], [156, 0.2, 0.4]],
  end: [[523, 0, 0.15], [659, 0.15, 0.15], [784, 0.3, 0.4]],
};
const LOUD = 0.12;
const AT_ONCE = 60; // milliseconds: faster moves share a tone
let context = null;
let silentUntil = 0; // in the context's time: tones wait for each other
let last = 0;

// Browsers allow sound only after a user gesture.
function wake() {
  if (setting("sound") === "off") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}
for (const gesture of ["pointerdown", "keydown", "settings"]) addEventListener(gesture, wake, { capture: true, passive: true });

const wanted = (name) => setting("sound") === "all" || (setting("sound") === "away" && name === "turn" && (document.hidden || !document.hasFocus()));

export function sound(name) {
  if (!context || !wanted(name) || (name === "move" && performance.now() - last < AT_ONCE)) return;
  last = performance.now();
  const start = Math.max(context.currentTime, silentUntil);
  for (const [frequency, begins, lasts] of TONES[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUD, start + begins);
    volume.gain.exponentialRampToValueAtTime(0.001, start + begins + lasts);
    tone.connect(volume).connect(context.destination);
    tone.start(start + begins);
    tone.stop(start + begins + lasts);
    silentUntil = Math.min(start + begins + lasts, context.currentTime + 1);
  }
}
