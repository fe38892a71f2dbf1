"use strict";
// Keeps the wall up to date: each event brings the picture of one table. Uses pages.js, which is loaded before.

function showTile({ table, html }) {
  const old = document.getElementById(`tile-${table}`);
  if (!html || !old) return renew();
  const made = document.createElement("template");
  made.innerHTML = html;
  patch(old, made.content.firstElementChild);
  lost(false);
}

listen("/api/events", {
  message: renew,
  // in turn: a page that was asked for before must not replace a newer tile
  tile: ({ data }) => inTurn(() => showTile(JSON.parse(data))),
});
const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => null);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
