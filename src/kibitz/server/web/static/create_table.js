// @ts-check
// Create a table as the server allows it, and go there.

import { toast } from "./dom.js";
import * as storage from "./storage.js";

// Create a table, store the key to the seat, and open it.
export async function createTable(shell, message) {
  try {
    const seat = await shell.connection.ask(message, true);
    storage.setSeat(seat.table, { token: seat.token, seat: seat.seat, invitations: seat.invitations });
    shell.go(`/table/${seat.table}`);
    return true;
  } catch (error) {
    toast(error.message, "error");
    return false;
  }
}
