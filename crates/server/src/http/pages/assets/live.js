// @ts-check
// Keeps pages live. Everything is drawn by the server: this only fetches the page again when something has happened,
// puts what is new in its place, moves what has moved, and turns clocks. Without it every page still works.

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** How far the server's clock is ahead of this one, in milliseconds. */
let ahead = 0;

/** @param {ParentNode} page */
function setClock(page) {
  const now = page.querySelector("main")?.dataset.now;
  if (now) ahead = Number(now) - Date.now();
}

// Clocks ----------------------------------------------------------------------------------------------------------

/** @param {number} millis */
function asClock(millis) {
  const all = Math.max(0, Math.floor(millis / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

function turnClocks() {
  const now = Date.now() + ahead;
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-begins]"))) {
    const [begins, ends, closes] = ["begins", "ends", "closes"].map((name) => Number(clock.dataset[name]));
    const phase = now < begins ? "before" : now < ends ? "running" : now <= closes ? "buffer" : "over";
    const until = { before: begins, running: ends, buffer: closes, over: now }[phase];
    // A second is shown until it is over: a clock at 0:00 has stopped.
    say(clock.querySelector("[data-left]"), asClock(until - now + (phase === "over" ? 0 : 999)));
    say(clock.querySelector("[data-phase]"), clock.dataset[phase] ?? "");
    const bar = clock.querySelector("progress");
    if (bar) bar.value = phase === "before" ? 0 : Math.min(1, (now - begins) / Math.max(1, ends - begins));
  }
}

/** @param {Element | null} element @param {string} text */
function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Times of the day as they are where the reader is. @param {ParentNode} within */
function localise(within) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (within.querySelectorAll("time[data-local]"))) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const short = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
    const full = { .../** @type {const} */ ({ year: "numeric", month: "2-digit", day: "2-digit" }), ...short };
    time.textContent = new Intl.DateTimeFormat("en-GB", time.dataset.local === "time" ? short : full).format(at);
  }
}

// Drawing anew ----------------------------------------------------------------------------------------------------

/** The parts of the page as the server drew them last. @type {Map<string, string>} */
const drawn = new Map();

/** @param {ParentNode} page @returns {NodeListOf<HTMLElement>} */
const parts = (page) => page.querySelectorAll("[data-live]");

/** Whether somebody is filling in a form there, or is about to let go of a button. @param {Element} part */
const isBusy = (part) => part.matches(":active") || part.querySelector(":is(input, textarea, select):focus") !== null;

/** Whether something was left as it is because somebody was busy there. */
let left = false;
for (const done of ["focusout", "pointerup", "pointercancel"]) {
  document.addEventListener(done, () => {
    if (left) soon();
    left = false;
  });
}

/** Puts every part that is new in its place. @param {Document} page */
function redraw(page) {
  setClock(page);
  for (const part of parts(document)) {
    const name = part.dataset.live ?? "";
    const fresh = page.querySelector(`[data-live="${CSS.escape(name)}"]`);
    if (!fresh || drawn.get(name) === withoutKeys(fresh.innerHTML)) continue;
    if (isBusy(part)) {
      left = true;
      continue;
    }
    drawn.set(name, withoutKeys(fresh.innerHTML));
    replace(part, fresh);
  }
  turnClocks();
}

/** Forms get a new key each time, which is no news. @param {string} html */
function withoutKeys(html) {
  return html.replace(/name="once" value="[^"]*"/g, "");
}

/** @param {HTMLElement} part @param {Element} fresh */
function replace(part, fresh) {
  const places = new Map(keyed(part).map((each) => [each.dataset.key, each.getBoundingClientRect().top]));
  const said = new Map(keyed(part).map((each) => [each.dataset.key, each.dataset.value]));
  const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
  const scrolled = [...part.querySelectorAll(".scrolling")].map((each) => each.scrollLeft);
  const focus = part.contains(document.activeElement) ? document.activeElement?.id : "";
  const typed = new Map(fields(part).filter(isChanged).map((field) => [nameOf(field), field]));
  part.replaceChildren(...fresh.childNodes);
  for (const field of fields(part)) copy(typed.get(nameOf(field)), field);
  part.querySelectorAll(".scrolling").forEach((each, place) => (each.scrollLeft = scrolled[place] ?? 0));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focus) document.getElementById(focus)?.focus();
  localise(part);
  unhide(part);
  for (const each of keyed(part)) {
    const key = each.dataset.key;
    if (said.has(key) && each.dataset.value !== said.get(key)) celebrate(each);
    const before = places.get(key);
    if (still.matches || places.size === 0) continue;
    if (before === undefined) appear(each);
    else glide(each, before - each.getBoundingClientRect().top);
  }
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** What can be filled in. @param {ParentNode} part @returns {Field[]} */
const fields = (part) => [...part.querySelectorAll("input:not([type=hidden], [type=file]), textarea, select")].map((each) => /** @type {Field} */ (each));

/** Whether somebody has filled it in and not sent it. @param {Field} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) {
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected));
  }
  return field.value !== field.defaultValue || (field instanceof HTMLInputElement && field.checked !== field.defaultChecked);
}

/** What tells a field from all others, however often it is drawn. @param {Field} field */
function nameOf(field) {
  const about = [...(field.form?.querySelectorAll("input[type=hidden]:not([name=once])") ?? [])];
  const said = about.map((each) => /** @type {HTMLInputElement} */ (each).value);
  const choice = field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type) ? field.value : "";
  return JSON.stringify([field.form?.getAttribute("action"), said, field.name, choice]);
}

/** @param {Field | undefined} from @param {Field} to */
function copy(from, to) {
  if (!from) return;
  const there = to instanceof HTMLSelectElement ? [...to.options].some((each) => each.value === from.value) : true;
  if (there) to.value = from.value;
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) to.checked = from.checked;
}

/** @param {ParentNode} part @returns {HTMLElement[]} */
const keyed = (part) => [...part.querySelectorAll("[data-key]")].map((each) => /** @type {HTMLElement} */ (each));

/** New here. @param {HTMLElement} row */
function appear(row) {
  row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 600, easing: "ease-in" });
}

/** From where it was to where it is. @param {HTMLElement} row @param {number} by */
function glide(row, by) {
  if (by === 0) return;
  row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 600, easing: "ease-in-out" });
}

// Sound, for whoever has asked for it -------------------------------------------------------------------------------

/** @type {AudioContext | undefined} */
let audio;
const sound = /** @type {HTMLButtonElement | null} */ (document.querySelector("button[data-sound]"));
if (sound) {
  sound.hidden = false;
  sound.addEventListener("click", () => {
    audio = audio ? void audio.close() : new AudioContext();
    sound.setAttribute("aria-pressed", String(Boolean(audio)));
    say(sound, audio ? "Sound on" : "Sound off");
  });
}

/** Somebody has scored. @param {HTMLElement} row */
function celebrate(row) {
  row.classList.add("changed");
  if (!audio) return;
  const [tone, loudness, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.setValueAtTime(660, now);
  tone.frequency.setValueAtTime(880, now + 0.12);
  loudness.gain.setValueAtTime(0.12, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.5);
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.5);
}

// Following -------------------------------------------------------------------------------------------------------

let fetching = false;
let again = false;
/** How many forms have been answered: each with a page that is newer than one that was asked for before. */
let answered = 0;

/** Fetches the page once more; while it is under way, what else happens leads to one more. */
async function refresh() {
  if (fetching) return void (again = true);
  fetching = true;
  const before = answered;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (before !== answered) again = true;
    else if (answer.ok) redraw(page);
  } catch {
    // The server is away: whoever follows comes back with it, and fetches the page then.
  }
  fetching = false;
  if (again) {
    again = false;
    soon();
  }
}

let waiting = 0;
/** A little later, and not everybody in the hall at the same moment. */
function soon() {
  if (waiting) return;
  waiting = window.setTimeout(() => {
    waiting = 0;
    void refresh();
  }, 40 + Math.random() * 160);
}

let last = "";
let leaving = new AbortController();

/** A browser has few connections to a server: a page that nobody sees gives its own back until it is seen again. */
const seen = () => new Promise((go) => document.hidden ? document.addEventListener("visibilitychange", go, { once: true }) : go(0));
document.addEventListener("visibilitychange", () => document.hidden && leaving.abort());

/** Reads what happens until the connection ends. @param {string[]} topics */
async function listen(topics) {
  const address = `/api/v1/events?${topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join("&")}`;
  const headers = { accept: "text/event-stream", ...(last && { "last-event-id": last }) };
  leaving = new AbortController();
  const answer = await fetch(address, { headers, cache: "no-store", signal: leaving.signal });
  if (!answer.ok || !answer.body) throw new Error(`it answers ${answer.status}`);
  main.dataset.connected = "true";
  soon();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      last = /^id: ?(.*)$/m.exec(event)?.[1] ?? last;
      if (/^data:/m.test(event)) soon();
    }
  }
}

async function follow() {
  const topics = (main.dataset.topics ?? "").split(" ").filter(Boolean);
  for (let wait = 250; topics.length > 0; wait = Math.min(wait * 2, 4000)) {
    await seen();
    const began = Date.now();
    // The server is away, or stopping: it is asked again after a while.
    await listen(topics).catch(() => undefined);
    delete main.dataset.connected;
    if (Date.now() - began > 5000) wait = 250;
    await new Promise((go) => setTimeout(go, wait * (0.75 + Math.random() / 2)));
  }
}

// Forms -----------------------------------------------------------------------------------------------------------

/** Sends a form without leaving the page; whatever goes wrong on the way, the browser sends it itself. */
document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("quiet" in form.dataset)) return;
  event.preventDefault();
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  const buttons = form.querySelectorAll("button");
  buttons.forEach((button) => (button.disabled = true));
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(form.action, { method: "POST", body: fields, headers });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    arrive(form, answer, page);
  } catch {
    // A form of an older page must not be stuck.
    form.submit();
  }
  buttons.forEach((button) => (button.disabled = false));
});

/** @param {HTMLFormElement} form @param {Response} answer @param {Document} page */
function arrive(form, answer, page) {
  answered += 1;
  const there = page.querySelector("main")?.dataset.page;
  if (there !== main.dataset.page) {
    // Another page: gone to when that is what was answered, and otherwise shown by the browser. Sending it again
    // does nothing again.
    return answer.redirected ? location.assign(answer.url) : form.submit();
  }
  if (answer.ok) form.reset();
  if (document.activeElement instanceof HTMLElement && form.contains(document.activeElement)) document.activeElement.blur();
  redraw(page);
  const [said, saying] = [document, page].map((each) => each.querySelector(".said"));
  if (said && saying) said.replaceChildren(...saying.childNodes);
  said?.scrollIntoView({ block: "nearest" });
  const key = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("once"));
  if (key) key.value = `${Date.now()}-${Math.random()}`;
}

/** A file that is chosen is put where it can be read before it is sent. */
document.addEventListener("change", async (event) => {
  const chosen = /** @type {HTMLInputElement} */ (event.target);
  const into = chosen.dataset?.into && document.getElementById(chosen.dataset.into);
  const file = chosen.files?.[0];
  if (file && into instanceof HTMLTextAreaElement) into.value = await file.text();
});

// What only a script can do is shown where there is one -------------------------------------------------------------

/** @param {ParentNode} within */
function unhide(within) {
  const voice = "speechSynthesis" in window ? ", [data-needs-voice]" : "";
  for (const each of within.querySelectorAll(`[data-needs-script]${voice}`)) each.removeAttribute("hidden");
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof HTMLElement ? event.target.closest("button") : null;
  if (button && "print" in button.dataset) window.print();
  if (!button?.dataset.say) return;
  window.speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(button.dataset.say);
  words.lang = "en";
  window.speechSynthesis.speak(words);
});

// -----------------------------------------------------------------------------------------------------------------

for (const part of parts(document)) drawn.set(part.dataset.live ?? "", withoutKeys(part.innerHTML));
setClock(document);
localise(document);
unhide(document);
turnClocks();
setInterval(turnClocks, 200);
void follow();
