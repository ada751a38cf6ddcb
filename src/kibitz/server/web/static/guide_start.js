// @ts-check
// Start or resume a guided first game.

import { toast } from "./dom.js";
import * as storage from "./storage.js";
import { loadTexts } from "./texts.js";

export async function scriptOf(game) {
  await loadTexts(game);
  return import(`/games/${encodeURIComponent(game)}/guide.js`);
}

// This browser's progress: { table, step, hidden, done }.
export const progress = (game) => storage.choice(`guide.${game}`, {});
export const setProgress = (game, changed) => storage.setChoice(`guide.${game}`, { ...progress(game), ...changed });

// Resume a game's guide, or start it at a new table.
export async function startGuide(shell, game) {
  try {
    if (progress(game).done || !storage.seat(progress(game).table)) {
      const { TABLE } = await scriptOf(game);
      const { table, token } = await shell.connection.ask({ type: "create", game, bot_delay: storage.choice("pace", 1200), ...TABLE }, true);
      storage.setSeat(table, { token });
      setProgress(game, { table, step: 0, done: false });
    }
    setProgress(game, { hidden: false });
    shell.go(`/table/${progress(game).table}`);
    dispatchEvent(new Event("guide"));
  } catch (error) {
    toast(error.message, "error");
  }
}
