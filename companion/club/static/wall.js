"use strict";
// Keeps the wall up to date: each event brings the picture of one table. Uses pages.js, which is loaded before.

let wall;

function follow() {
  wall?.close();
  if (document.hidden) return;
  wall = new EventSource("/api/events");
  wall.onopen = renew; // for what was missed before
  wall.onmessage = renew;
  // in turn: a page that was asked for before must not replace a newer tile
  wall.addEventListener("tile", ({ data }) => inTurn(() => showTile(JSON.parse(data))));
  wall.onerror = () => {
    lost(true);
    if (wall.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  };
}

function showTile({ table, html }) {
  const old = document.getElementById(`tile-${table}`);
  if (!html || !old) return renew();
  const made = document.createElement("template");
  made.innerHTML = html;
  patch(old, made.content.firstElementChild);
  lost(false);
}

follow();
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", () => wall?.close());
const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => null);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
