"use strict";
// Keeps the wall up to date: each event brings the picture of one table. Uses pages.js, which is loaded before.

let wall;

function follow() {
  wall?.close();
  if (document.hidden) return;
  wall = new EventSource("/api/events");
  wall.onopen = renew; // for what was missed before
  wall.onmessage = renew;
  wall.addEventListener("tile", (event) => {
    const { table, html } = JSON.parse(event.data);
    const old = document.getElementById(`tile-${table}`);
    if (!html || !old) return renew();
    const made = document.createElement("template");
    made.innerHTML = html;
    patch(old, made.content.firstElementChild);
    lost(false);
  });
  wall.onerror = () => {
    lost(true);
    if (wall.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  };
}

follow();
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", () => wall?.close());
const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => null);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
