"use strict";
// Fills in the code from a scanned link, submits forms without a reload, and keeps the page up to date.
// Every page also works without this script.

const $ = (selector) => document.querySelector(selector);
const live = "live" in document.body.dataset;
document.documentElement.classList.add("js");

// -- joining: the code is in the fragment, which must stay out of servers and history -----------

function join() {
  const fragment = decodeURIComponent(location.hash.slice(1));
  if (!fragment || document.getElementById(fragment)) return;
  history.replaceState(history.state, "", location.pathname);
  const code = $("#enter #code");
  if (!code || $("#problem")) return;
  code.value = fragment;
  $("#enter").submit();
}
join();
addEventListener("hashchange", join); // pasted where the page is open already

// -- replacing the parts of the page that have changed ------------------------------------------

const OWN = ["open", "hidden", "inert", "aria-busy", "data-held", "data-touched"]; // attributes set on this page are kept
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

let refusal; // of the last touch on this phone, if the page itself does not tell it

// Patches the page; `isAnswer` to a touch on this phone.
function show(html, isAnswer) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const { question, kind } = $("#main").dataset;
  const { question: nextQuestion, kind: nextKind } = next.getElementById("main").dataset;
  const turns = nextKind !== kind;
  // what others do takes the reason away only with the question
  if (isAnswer || turns || nextQuestion !== question) refusal = null;
  if (refusal) next.getElementById("answer")?.replaceChildren(refusal.cloneNode(true));
  if (live && !("live" in next.body.dataset)) {
    leaving = true; // its forms are sent without this script
    location.reload();
    return;
  }
  const textBefore = findQuestion().textContent;
  const had = document.activeElement;
  const log = $("#told-lines");
  const atEnd = log && log.scrollTop + log.clientHeight > log.scrollHeight - 40;
  const before = offered();
  const hadTurn = $(".turn");
  for (const id of ["bar", "main"])
    if (document.getElementById(id)) patch(document.getElementById(id), next.getElementById(id));
  if (turns) {
    // not loaded anew: a screen reader would read all of it
    document.body.className = next.body.className;
    cover?.remove();
    document.body.append(...next.querySelectorAll("#cover"));
    if (nextKind.split(" ")[1] !== kind.split(" ")[1]) saidLast = [[], "", "", "", false];
    bind();
    scrollTo(0, 0);
  }
  if (isAnswer && hadTurn && !$(".turn")) scrollTo(0, 0); // what one did is over
  document.title = next.title;
  if ($("#main").dataset.question !== question) forgetTouch();
  if (offered() !== before) hold();
  // some browsers give a button that is touched no focus
  const isNew = findQuestion().textContent !== textBefore;
  const isLost = turns || (had === document.body ? isAnswer && isNew : !had.isConnected);
  // a new question with choices of its own may be above the touch that led to it
  if (isLost) findQuestion().focus({ preventScroll: !isNew || !$(OFFERED) });
  if (log && atEnd) log.scrollTop = log.scrollHeight;
  find();
  stage();
  keepAwake();
  answered ||= isAnswer;
  if (isLost) focused = findQuestion().textContent;
  saying ||= setTimeout(announce, GATHERED);
}

// What is bound to the elements of this kind of page, at loading and when it turns into another.
function bind() {
  bindTouch();
  bindCover();
  bindReader();
  bindFilm();
  bindSound();
  const log = $("#told-lines");
  if (log) log.scrollTop = log.scrollHeight;
}

// The call of one's own character fills the page: it is scrolled to once.
function stage() {
  const key = $(".stage")?.dataset.stage;
  if (!key || sessionStorage.getItem("staged") === key) return;
  sessionStorage.setItem("staged", key);
  scrollTo(0, 0);
}
stage();

// Until its player touches it in the question that is now asked, a page shows nothing that only its
// player may know; it is untouched again with the next question, or when it is covered.
function noteTouch({ target }) {
  if (!("question" in $("#main").dataset) || !target.closest("#main") || target.closest("a, [data-hold] > summary")) return;
  if ("touched" in $("#main").dataset) return;
  sessionStorage.setItem("touched", $("#main").dataset.question);
  $("#main").dataset.touched = "";
  if ($("main form .touched-only")) hold();
}
function forgetTouch() {
  sessionStorage.removeItem("touched");
  delete $("#main").dataset.touched;
  refusal?.remove(); // it may name what was private
  refusal = null;
  for (const one of document.querySelectorAll("[data-private]")) one.open = false;
}
function bindTouch() {
  const { question } = $("#main").dataset;
  if (!question) return;
  if (sessionStorage.getItem("touched") === question) $("#main").dataset.touched = "";
  else forgetTouch();
}
addEventListener("click", noteTouch); // a reader would call all of a main with a listener clickable
addEventListener("pageshow", (event) => event.persisted && forgetTouch());

const told = () => [...document.querySelectorAll("#told-lines > p")];
const moveOf = (one) => Number(one.dataset.move);
const lastOf = (lines) => Math.max(-2, ...lines.map(moveOf));
const isMove = (one) => Number.isInteger(moveOf(one)); // and not announced between two of them

// What a screen reader says by itself: each new line once, or that something was undone, and what the
// player may note; after one's own touch, not what the next question says too, but what one has now.
// A reader drops what is polite for what is urgent, and an older text of one element for a newer: so
// what changes within a moment is said together, and by several elements in turn.
const GATHERED = 200; // milliseconds
const OFFERED = "h2#asked, #question[data-offered]"; // a question with choices of its own
const asked = () => $("#now")?.dataset.asked || "";
const tell = () => [
  told(),
  $("#purse")?.textContent,
  $(OFFERED)?.lastChild.textContent,
  asked(),
  "due" in ($("#now")?.dataset || {}),
];
let saidLast = tell();
let saying, turn = 0; // a timer, and whose turn it is to speak
let answered, focused; // since then: a touch, and the question that got the focus, which says it

function announce() {
  const [before, purse, offered, wasAsked, wasDue] = saidLast;
  const [shown, has, offers, asks, isDue] = (saidLast = tell());
  // many notes leave nothing of what happened, and at the end the television tells nothing of it
  const all = (saidLast[0] = shown.length ? shown : before);
  const keys = new Set(all.map(keyOf));
  const same = before.filter((one) => keys.has(keyOf(one)));
  // what was said and still is so; after a long absence nothing that is shown may have been
  const last = same.length ? lastOf(same) : Math.min(lastOf(before), lastOf(all));
  const isSaid = focused === findQuestion().textContent;
  const isNewlyAsked = asks !== wasAsked;
  const calls = asks && isNewlyAsked && !isSaid;
  const lines = all.filter(
    (one) =>
      moveOf(one) > last &&
      !(answered && isSaid && "asked" in one.dataset) &&
      !(calls && one.className === "call"), // the question names the rank, too
  );
  const news = lines.map((one) => one.lastChild.textContent.trim().replace(/[^.!?]$/, "$&."));
  if (answered && has && has !== purse) {
    const next = lines.findIndex((one) => one.matches(".round, .call, .passed"));
    news.splice(next < 0 ? news.length : next, 0, `${has}.`); // what came of the own deed, with it
  }
  if (lastOf(before.filter(isMove)) > last) news.unshift($("#told-lines").dataset.undone);
  if (!answered && offers && offers !== offered && offers !== asks) news.push(offers);
  saying = answered = focused = null;
  if (isNewlyAsked) {
    if (calls) news.push(asks);
    if ($("#alert")) $("#alert").textContent = calls ? news.join(" ") : "";
    if (calls && navigator.userActivation?.hasBeenActive) {
      const isTurn = isDue && !wasDue; // whoever has the crown is asked between turns too
      if (isTurn || !wasAsked) navigator.vibrate?.([200, 100, 200]);
      if (isTurn) ring();
    }
    if (calls) return;
  }
  if (!news.length) return;
  const spoken = $("#news").children;
  spoken[turn++ % 3].textContent = news.join(" ");
  spoken[turn % 3].textContent = ""; // the oldest
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

// The screen stays on while a game runs. Without encryption there is no wake lock; a silent film that
// a touch has started has the same effect.
let wake, film;
async function keepAwake(event) {
  const sleeps = document.hidden || !live || $("#scores");
  if (film && sleeps) film.pause();
  else if (film && (event?.type === "click" || navigator.userActivation?.hasBeenActive))
    film.play().catch((error) => error.name === "AbortError" || tellSleeps());
  else if (film) return;
  else if (sleeps) wake = wake?.release() && null;
  else if (!wake || wake.released)
    wake = await navigator.wakeLock?.request("screen").catch(() => null);
}
function tellSleeps() {
  if (!$("#sleeps") || localStorage.getItem("sleeps")) return;
  $("#sleeps").hidden = false; // said once
  localStorage.setItem("sleeps", "said");
}
async function loadFilm() {
  const answer = await fetch($("#sleeps").dataset.film);
  film = Object.assign(document.createElement("video"), { loop: true, playsInline: true });
  film.src = URL.createObjectURL(await answer.blob());
  addEventListener("click", keepAwake);
}
document.addEventListener("visibilitychange", keepAwake);
function bindFilm() {
  if (navigator.wakeLock || !$("#sleeps")) keepAwake();
  else if (!film) loadFilm().catch(tellSleeps);
}

// After a change, the button under a finger may be another one: touches are ignored for a moment.
const HELD = 300; // milliseconds
const offered = () => [...document.querySelectorAll("main form")].map((one) => one.textContent).join();
let held;

function hold() {
  $("#main").dataset.held = "";
  clearTimeout(held);
  held = setTimeout(() => delete $("#main").dataset.held, HELD);
}

const findQuestion = () => $("h2#asked") || $("#question") || $("#main");

// A soft sound when it is this page's player's turn, if a touch has turned that on.
// Some browsers let a page sound only once it was touched, also after it was loaded anew.
let sound;
function openSound() {
  if (localStorage.getItem("sound")) (sound ||= new AudioContext()).resume();
}
addEventListener("click", openSound);
function ring() {
  if (!sound || !localStorage.getItem("sound")) return;
  const end = sound.currentTime + 0.8;
  const tone = new OscillatorNode(sound, { frequency: 587 });
  const volume = new GainNode(sound, { gain: 0.2 });
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(end);
}
function bindSound() {
  const box = $("#sound input");
  if (!box || !window.AudioContext) return;
  $("#sound").hidden = false;
  box.checked = localStorage.getItem("sound");
  box.onchange = () => {
    localStorage.setItem("sound", box.checked ? "on" : "");
    openSound();
    ring();
  };
}

// -- requests, one after the other --------------------------------------------------------------

// milliseconds: for a request, until the next try, and for a stream without a heartbeat
const [PATIENCE, AGAIN, QUIET] = [5000, 2000, 12000];

let line = Promise.resolve();
let waiting = false;
let leaving = false; // a second navigation would abort the first
let hurry = () => {}; // gives up the request that is under way, or the pause before the next
let hurried = false;
const inTurn = (work) => (line = line.then(() => leaving || work()).catch(() => lost(true)));

// The answer, or nothing once it has taken too long.
async function request(address, options) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  hurried = false;
  hurry = () => stop.abort((hurried = true));
  try {
    const answer = await fetch(address, { ...options, signal: stop.signal });
    return { ok: answer.ok, status: answer.status, url: answer.url, text: await answer.text() };
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

function take({ ok, url, text }, isAnswer) {
  const place = new URL(url);
  if (!ok) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const problem = page.getElementById("problem") || page.querySelector("h1");
    refusal = document.createElement("p");
    refusal.className = "refused";
    refusal.textContent = problem ? problem.textContent : text;
    $("#answer").replaceChildren(refusal);
  } else if (place.pathname === location.pathname) show(text, isAnswer);
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
    const answer = await request(location.pathname + location.search);
    // the event that asked for the page does not come again
    if (!answer || answer.status === 429 || answer.status >= 500) setTimeout(renew, AGAIN);
    if (answer) take(answer);
    else lost(true);
  });
}

const COUNTED_ONCE = ["/seat", "/hand"]; // there the table knows a touch that is sent again

// A touch that is not answered is sent again until it is, or else given back.
async function deliver(action, fields) {
  const touch = crypto.getRandomValues(new Uint32Array(3)).join("-");
  const options = { method: "POST", body: new URLSearchParams([...fields, ["touch", touch]]) };
  for (;;) {
    const answer = await request(action, options);
    if (answer) return take(answer, true);
    lost(true);
    if (!COUNTED_ONCE.includes(action)) return renew();
    if (!hurried) await new Promise((done) => setTimeout((hurry = done), AGAIN));
  }
}

function send(action, fields) {
  const main = $("#main");
  if (main.ariaBusy === "true") return; // a double touch
  main.ariaBusy = "true";
  inTurn(() => deliver(action, fields)).finally(() => (main.ariaBusy = null));
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
  if (form.id === "add") form.reset();
});

// -- events --------------------------------------------------------------------------------------

let stream;

// Hears the events there for as long as the page is seen. A connection can die without a word: then
// the heartbeat is missed, and the stream is opened anew.
function listen(address, heard) {
  let silent;
  const expect = (milliseconds) => {
    clearTimeout(silent);
    silent = setTimeout(() => {
      lost(true);
      hear();
    }, milliseconds);
  };
  function hear() {
    stream?.close();
    clearTimeout(silent);
    if (document.hidden) return;
    stream = new EventSource(address);
    expect(PATIENCE);
    stream.onopen = () => {
      expect(QUIET);
      renew(); // for events missed before
    };
    // the table ends it and says so, as when the seats change
    for (const [name, work] of Object.entries({ beat: () => {}, again: hear, ...heard }))
      stream.addEventListener(name, (event) => {
        expect(QUIET);
        work(event);
      });
    stream.onerror = () => {
      lost(true);
      if (stream.readyState !== EventSource.CLOSED) return; // the browser reconnects
      expect(AGAIN);
      renew(); // tells a disconnected phone so
    };
  }
  // A phone that was asleep, or elsewhere, may have lost its stream and what it was asking for.
  function wake() {
    hear();
    if (document.hidden) return;
    hurry();
    renew();
  }
  hear();
  for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    leaving = waiting = false;
    wake();
  });
  addEventListener("pagehide", () => stream?.close());
}

if (live) {
  const { events } = document.body.dataset;
  listen(events || "/api/events" + (location.pathname === "/table" ? "?view=public" : ""), {
    // in turn: the answer to a touch shows what the touch has changed, and need not be fetched again
    message: ({ lastEventId }) =>
      inTurn(() => lastEventId !== $("#main").dataset.version && renew()),
    door: renew,
    hand: renew,
  });
}

// -- finding a row by its letters -----------------------------------------------------------------

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function find() {
  for (const field of document.querySelectorAll("[type=search], [data-find]")) {
    const sought = plain(field.value.trim());
    for (const row of field.closest("form").querySelectorAll(".rows > div"))
      row.hidden = sought && !` ${plain(row.textContent.trim())}`.includes(` ${sought}`);
  }
}
addEventListener("input", find);
addEventListener("paste", (event) => {
  // a list of names, one a line: the field would put them into one word
  const field = event.target, lines = event.clipboardData?.getData("text").trim().split(/\s*\n\s*/);
  if (field.id !== "text" || !(lines?.length > 1)) return;
  event.preventDefault();
  field.setRangeText(lines.join(", "), field.selectionStart, field.selectionEnd, "end");
});

// -- covering the page ------------------------------------------------------------------------------

let cover;
function bindCover() {
  const parts = () => document.querySelectorAll(".skip, header, main, footer");
  for (const part of parts()) part.inert = false;
  cover = $("#cover");
  if (!cover?.showPopover) return;
  const opens = (event) => event.newState === "open";
  // "toggle" comes late: a page that is left before would be covered again.
  cover.addEventListener("beforetoggle", (event) =>
    sessionStorage.setItem("covered", opens(event) ? "yes" : ""),
  );
  cover.addEventListener("toggle", (event) => {
    const isCovered = opens(event);
    if (isCovered) forgetTouch();
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

// -- chips ---------------------------------------------------------------------------------------

// A chip's link taps once, when it is opened; after a reload or going back, its page waits for a touch.
const tap = $("#tap[data-once]");
if (tap && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
  const once = () => {
    // a prerendered page has not been seen yet
    if (document.hidden || document.prerendering || !("once" in tap.dataset)) return;
    delete tap.dataset.once;
    const body = new URLSearchParams(new FormData(tap));
    request(tap.action, { method: "POST", body }).then(
      // without an answer the page waits for a touch, as after a reload
      (answer) => answer && location.replace(answer.ok ? answer.url : "/")
    );
  };
  for (const shown of ["visibilitychange", "prerenderingchange"])
    document.addEventListener(shown, once);
  once();
}

// In browsers that can read chips, the seat's page stays open for any number of them, whatever kinds of
// page it turns into.
let chips; // their reader
if ("NDEFReader" in window) document.documentElement.classList.add("reads");

function tellReader(told) {
  const reader = $("#reader");
  if (!reader) return;
  const [button, line] = reader.children;
  button.hidden = Boolean(chips);
  line.textContent = told || reader.dataset[chips ? "reading" : "none"];
}

function bindReader() {
  if (chips && $("#reader button:not([hidden])")) tellReader();
}

const readChip = ({ serialNumber }) =>
  inTurn(async () => {
    const answer = await request("/api/taps", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ chip: serialNumber }),
    });
    if (!answer) return lost(true); // the page then shows whether it counted
    tellReader(JSON.parse(answer.text).error);
    renew();
  });

addEventListener("click", async (event) => {
  if (chips || !event.target.closest("#reader button")) return;
  chips = new NDEFReader();
  chips.addEventListener("reading", readChip);
  await chips.scan().catch(() => (chips = null));
  tellReader();
});

bind();
