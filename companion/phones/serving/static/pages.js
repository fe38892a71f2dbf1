"use strict";
// Fills in the code from a scanned link, submits forms without a reload, and keeps the page up to date.
// Every page also works without this script.

const $ = (selector) => document.querySelector(selector);
const live = "live" in document.body.dataset;
document.documentElement.classList.add("js");

// -- joining: the code is in the fragment, which must stay out of servers and history -----------

const fragment = decodeURIComponent(location.hash.slice(1));
if (fragment && !document.getElementById(fragment)) {
  history.replaceState(history.state, "", location.pathname);
  const code = $("#enter #code");
  if (code && !$("#problem")) {
    code.value = fragment;
    $("#enter").submit();
  }
}

// -- replacing the parts of the page that have changed ------------------------------------------

const OWN = ["open", "hidden", "inert", "aria-busy", "data-held"]; // attributes set on this page are kept
const keyOf = (node) => node.id || node.dataset.key || node.nodeName + node.textContent;

function patch(old, next) {
  if (old.isEqualNode(next) || "own" in next.dataset) return;
  for (const { name } of [...old.attributes])
    if (!next.hasAttribute(name) && !OWN.includes(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (!OWN.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
  if (!next.children.length || [...next.childNodes].some(isText)) {
    if (old.innerHTML !== next.innerHTML) old.replaceChildren(...next.childNodes);
  } else patchChildren(old, [...next.children]);
}

function patchChildren(old, wanted) {
  const kept = new Map();
  const keys = new Set(wanted.map(keyOf));
  for (const child of [...old.children]) {
    const key = keyOf(child);
    if (keys.has(key) && !kept.has(key)) kept.set(key, child);
    else child.remove();
  }
  let at = old.firstElementChild;
  for (const next of wanted) {
    const same = kept.get(keyOf(next));
    kept.delete(keyOf(next));
    if (same) patch(same, next);
    if (same && same === at) at = at.nextElementSibling;
    else old.insertBefore(same || next, at);
  }
}

function show(html) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const wasAsked = asked();
  const had = document.activeElement;
  const log = $("#told-lines");
  const atEnd = log && log.scrollTop + log.clientHeight > log.scrollHeight - 40;
  const before = offered();
  for (const id of ["bar", "main"])
    if (document.getElementById(id)) patch(document.getElementById(id), next.getElementById(id));
  document.title = next.title;
  if (offered() !== before) hold();
  if (had !== document.body && !had.isConnected)
    ($("#asked") || $("#question") || $("#main")).focus({ preventScroll: !$(".lobby #asked") });
  if (log && atEnd) log.scrollTop = log.scrollHeight;
  find();
  stage();
  tellNews();
  keepAwake();
  if (!asked()) $("#alert")?.replaceChildren();
  else if (!wasAsked) call();
}

// A moment that fills the page does so until it is touched, once.
function stage() {
  const now = $(".stage.loud");
  if (!now) return;
  const { stage: key } = now.dataset;
  const isSeen = sessionStorage.getItem("seen") === key;
  now.classList.toggle("seen", isSeen);
  if (isSeen || sessionStorage.getItem("staged") === key) return;
  sessionStorage.setItem("staged", key);
  scrollTo(0, 0);
  if (navigator.userActivation?.hasBeenActive && !asked()) navigator.vibrate?.([400]);
}
addEventListener("click", (event) => {
  const button = event.target.closest("[data-seen]");
  if (!button) return;
  sessionStorage.setItem("seen", button.dataset.seen);
  stage();
  $("#question").focus({ preventScroll: true });
});
stage();

// What happened since this phone was last touched, or left, is repeated near the top of the page.
const told = () => [...document.querySelectorAll("#told-lines > p")];
const moveOf = (one) => Number(one.dataset.key.split(".")[0]);
function look() {
  const { game } = $("#told-lines").dataset;
  sessionStorage.setItem("looked", JSON.stringify([game, Math.max(-1, ...told().map(moveOf))]));
}
function tellNews() {
  const news = $("#since");
  if (!news) return;
  const [game, last] = JSON.parse(sessionStorage.getItem("looked")) || [];
  const lines = told().filter((one) => $("#told-lines").dataset.game !== game || moveOf(one) > last);
  news.hidden = !lines.length;
  news.lastElementChild.replaceChildren(...lines.slice(-6).map((one) => one.cloneNode(true)));
}
if ($("#told-lines")) {
  if (sessionStorage.getItem("looked")) tellNews();
  else look();
  for (const name of ["pointerdown", "keydown", "pagehide"]) addEventListener(name, look);
  document.addEventListener("visibilitychange", () => document.hidden && look());
}

// One's own card is shown while it is held; by keyboard and without a pointer it opens and closes.
for (const [name, isOpen] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]])
  addEventListener(name, (event) => {
    const held = isOpen ? event.target.closest?.("[data-hold] > summary")?.parentNode : null;
    for (const one of isOpen ? [held].filter(Boolean) : document.querySelectorAll("[data-hold]"))
      one.open = isOpen;
  });
addEventListener("click", (event) => {
  if (event.detail && event.target.closest?.("[data-hold] > summary")) event.preventDefault();
});

// The screen stays on while a game runs.
let wake;
async function keepAwake() {
  if (document.hidden || !live || $("#scores")) wake = wake?.release() && null;
  else if (!wake || wake.released)
    wake = await navigator.wakeLock?.request("screen").catch(() => null);
}
document.addEventListener("visibilitychange", keepAwake);
keepAwake();

// After a change, the button under a finger may be another one: touches are ignored for a moment.
const HELD = 300; // milliseconds
const offered = () => [...document.querySelectorAll("main form")].map((one) => one.textContent).join();
let held;

function hold() {
  $("#main").dataset.held = "";
  clearTimeout(held);
  held = setTimeout(() => delete $("#main").dataset.held, HELD);
}

const asked = () => $("#now")?.dataset.asked || "";

function call() {
  $("#alert").textContent = asked();
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([200, 100, 200]);
}

// -- requests, one after the other --------------------------------------------------------------

let line = Promise.resolve();
let waiting = false;
let leaving = false; // a second navigation would abort the first
const inTurn = (work) => (line = line.then(() => leaving || work()).catch(() => lost(true)));

async function take(answer) {
  const html = await answer.text();
  const place = new URL(answer.url);
  if (!answer.ok) {
    const problem = new DOMParser().parseFromString(html, "text/html").querySelector("h1");
    const said = document.createElement("p");
    said.className = "refused";
    said.textContent = problem ? problem.textContent : html;
    $("#answer").replaceChildren(said);
  } else if (place.pathname === location.pathname) show(html);
  else {
    leaving = true;
    location.assign(place.pathname + place.search);
  }
  lost(false);
}

function renew() {
  if (waiting) return;
  waiting = true;
  inTurn(async () => {
    waiting = false;
    await take(await fetch(location.pathname + location.search));
  });
}

function send(action, fields) {
  const main = $("#main");
  if (main.ariaBusy === "true") return; // a double touch
  main.ariaBusy = "true";
  inTurn(() => fetch(action, { method: "POST", body: new URLSearchParams(fields) }).then(take))
    .finally(() => (main.ariaBusy = null));
}

function lost(isLost) {
  const words = $("#lost");
  const says = isLost ? words?.dataset.says : "";
  if (words && words.textContent !== says) words.textContent = says;
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (!live || form.method !== "post" || !form.closest("#main")) return;
  event.preventDefault();
  const fields = [...new FormData(form)];
  if (event.submitter?.name) fields.push([event.submitter.name, event.submitter.value]);
  send(form.getAttribute("action"), fields);
});

// -- events --------------------------------------------------------------------------------------

let stream;

function hear() {
  stream?.close();
  if (document.hidden) return;
  const { events } = document.body.dataset;
  stream = new EventSource(events || "/api/events" + (location.pathname === "/table" ? "?view=public" : ""));
  stream.onopen = renew; // for events missed before
  // in turn: the answer to a touch shows what the touch has changed, and need not be fetched again
  stream.onmessage = ({ lastEventId }) =>
    inTurn(() => lastEventId !== $("#main").dataset.version && renew());
  stream.addEventListener("door", renew);
  stream.addEventListener("hand", renew);
  stream.onerror = () => {
    lost(true);
    if (stream.readyState !== EventSource.CLOSED) return; // the browser reconnects
    setTimeout(hear, 3000);
    renew(); // tells a disconnected phone so
  };
}

if (live) {
  hear();
  document.addEventListener("visibilitychange", hear); // a phone asleep may lose its stream
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    leaving = waiting = false;
    hear();
  });
  addEventListener("pagehide", () => stream?.close());
  const log = $("#told-lines");
  if (log) log.scrollTop = log.scrollHeight;
}

// -- finding a row by its letters -----------------------------------------------------------------

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function find() {
  for (const field of document.querySelectorAll("[type=search]")) {
    const sought = plain(field.value.trim());
    for (const row of field.form.querySelectorAll(".rows li"))
      row.hidden = sought && !plain(row.textContent).includes(sought);
    const others = field.form.querySelector("details");
    if (others && sought) others.open = true;
  }
}
addEventListener("input", find);
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.type === "search") event.preventDefault();
});

// -- covering the page ------------------------------------------------------------------------------

const cover = $("#cover");
if (cover?.showPopover) {
  const parts = () => document.querySelectorAll(".skip, header, main, footer");
  const opens = (event) => event.newState === "open";
  // "toggle" comes late: a page that is left before would be covered again.
  cover.addEventListener("beforetoggle", (event) =>
    sessionStorage.setItem("covered", opens(event) ? "yes" : ""),
  );
  cover.addEventListener("toggle", (event) => {
    const isCovered = opens(event);
    for (const part of parts()) part.inert = isCovered;
    (isCovered ? cover : $("#bar")).querySelector("button").focus({ preventScroll: true });
  });
  if (sessionStorage.getItem("covered")) cover.showPopover();
}

// -- reading aloud, with voices of this phone only ---------------------------------------------------

const language = document.documentElement.lang;
const voices = () =>
  (window.speechSynthesis?.getVoices() || []).filter(
    (voice) => voice.localService && voice.lang.toLowerCase().startsWith(language)
  );

addEventListener("click", (event) => {
  const button = event.target.closest("[data-read]");
  if (!button) return;
  const texts = document.getElementById(button.dataset.read).querySelectorAll("h1, p");
  const said = new SpeechSynthesisUtterance([...texts].map((text) => text.textContent.trim()).join("\n"));
  [said.voice, said.lang] = [voices()[0], language];
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
});
const offerVoice = () =>
  document.documentElement.classList.toggle("voiced", voices().length > 0);
window.speechSynthesis?.addEventListener?.("voiceschanged", offerVoice);
offerVoice();

// -- sharing: the card as PNG to the phone's own list of programs, or else into its downloads ------

async function drawPng(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link) return;
  event.preventDefault();
  try {
    const told = fetch(link.dataset.share).then((answer) => answer.text());
    const [picture, text] = await Promise.all([drawPng(link.href), told]);
    const shared = { files: [new File([picture], link.download, { type: picture.type })], text };
    if (navigator.canShare?.(shared)) await navigator.share(shared);
    else {
      const saved = document.createElement("a");
      [saved.href, saved.download] = [URL.createObjectURL(picture), link.download];
      saved.click();
    }
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href); // the picture itself, to be held
  }
});

// The link to BG Stats leaves this page; that it was opened is noted here.
addEventListener("click", (event) => {
  const link = event.target.closest("[data-sent]");
  if (link) navigator.sendBeacon(link.dataset.sent);
});

// -- chips ---------------------------------------------------------------------------------------

// A chip's link taps once, when it is opened; after a reload or going back, its page waits for a touch.
const tap = $("#tap[data-once]");
if (tap && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
  const once = () => {
    // a prerendered page has not been seen yet
    if (document.hidden || document.prerendering || !("once" in tap.dataset)) return;
    delete tap.dataset.once;
    fetch(tap.action, { method: "POST", body: new URLSearchParams(new FormData(tap)) }).then(
      (answer) => location.replace(answer.ok ? answer.url : "/")
    );
  };
  for (const shown of ["visibilitychange", "prerenderingchange"])
    document.addEventListener(shown, once);
  once();
}

// In browsers that can read chips, the seat's page stays open for any number of them.
const reader = $("#reader");
if (reader && "NDEFReader" in window) {
  document.documentElement.classList.add("reads");
  const [button, told] = reader.children;
  const read = ({ serialNumber }) =>
    inTurn(async () => {
      const answer = await fetch("/api/taps", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ chip: serialNumber }),
      });
      told.textContent = (await answer.json()).error || reader.dataset.reading;
      renew();
    });
  button.addEventListener("click", async () => {
    const chips = new NDEFReader();
    chips.addEventListener("reading", read);
    try {
      await chips.scan();
      button.hidden = true;
      told.textContent = reader.dataset.reading;
    } catch {
      told.textContent = reader.dataset.none;
    }
  });
}
