// @ts-check
// Live updates of pages. All HTML is rendered by the server: on an event this script fetches the page again, replaces
// the parts that changed, animates rows that moved, and updates clocks. Every page also works without it.

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Offset of the server's clock to this one, in milliseconds. */
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

/** Converts times to the local time zone. @param {ParentNode} within */
function localise(within) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (within.querySelectorAll("time[data-local]"))) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const short = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
    const full = { .../** @type {const} */ ({ year: "numeric", month: "2-digit", day: "2-digit" }), ...short };
    time.textContent = new Intl.DateTimeFormat("en-GB", time.dataset.local === "time" ? short : full).format(at);
  }
}

// Redrawing -------------------------------------------------------------------------------------------------------

/** The parts of the page as last rendered by the server. @type {Map<string, string>} */
const drawn = new Map();

/** @param {ParentNode} page @returns {NodeListOf<HTMLElement>} */
const parts = (page) => page.querySelectorAll("[data-live]");

/** Whether a field in the part has the focus, or a button is pressed. @param {Element} part */
const isBusy = (part) => part.matches(":active") || part.querySelector(":is(input, textarea, select):focus") !== null;

/** Whether an update was skipped because its part was busy. */
let left = false;
for (const done of ["focusout", "pointerup", "pointercancel"]) {
  document.addEventListener(done, () => {
    if (left) soon();
    left = false;
  });
}

/** Replaces every part that changed. @param {Document} page */
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

/** Removes idempotency keys, which differ in every response. @param {string} html */
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

/** The input fields of a part. @param {ParentNode} part @returns {Field[]} */
const fields = (part) => [...part.querySelectorAll("input:not([type=hidden], [type=file]), textarea, select")].map((each) => /** @type {Field} */ (each));

/** Whether a field differs from its initial value. @param {Field} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) {
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected));
  }
  return field.value !== field.defaultValue || (field instanceof HTMLInputElement && field.checked !== field.defaultChecked);
}

/** A key that identifies a field across redraws. @param {Field} field */
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

/** Fades a new row in. @param {HTMLElement} row */
function appear(row) {
  row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 600, easing: "ease-in" });
}

/** Moves a row from its old place to the new one. @param {HTMLElement} row @param {number} by */
function glide(row, by) {
  if (by === 0) return;
  row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 600, easing: "ease-in-out" });
}

// Sound, off by default --------------------------------------------------------------------------------------------

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

/** Highlights a row whose value changed, with a sound if that is on. @param {HTMLElement} row */
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

// Subscription ----------------------------------------------------------------------------------------------------

let fetching = false;
let again = false;
/** Number of form responses. Each is newer than a page that was requested before it. */
let answered = 0;

/** Fetches the page again. Events during the request lead to one more request. */
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
    // The server cannot be reached: the subscription reconnects later and fetches the page then.
  }
  fetching = false;
  if (again) {
    again = false;
    soon();
  }
}

let waiting = 0;
/** Schedules a refresh after a short random delay, so that not all browsers send requests at once. */
function soon() {
  if (waiting) return;
  waiting = window.setTimeout(() => {
    waiting = 0;
    void refresh();
  }, 40 + Math.random() * 160);
}

let last = "";
let leaving = new AbortController();

/** Resolves when the page is visible. Hidden pages close their stream, as browsers limit connections per host. */
const seen = () => new Promise((go) => document.hidden ? document.addEventListener("visibilitychange", go, { once: true }) : go(0));
document.addEventListener("visibilitychange", () => document.hidden && leaving.abort());

/** Reads the event stream until the connection ends. @param {string[]} topics */
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
    // The server cannot be reached or is shutting down: retry with backoff.
    await listen(topics).catch(() => undefined);
    delete main.dataset.connected;
    if (Date.now() - began > 5000) wait = 250;
    await new Promise((go) => setTimeout(go, wait * (0.75 + Math.random() / 2)));
  }
}

// Forms -----------------------------------------------------------------------------------------------------------

/** Submits a form without leaving the page; if the request fails, the browser submits it itself. */
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
    // Fall back to a normal submit.
    form.submit();
  }
  buttons.forEach((button) => (button.disabled = false));
});

/** @param {HTMLFormElement} form @param {Response} answer @param {Document} page */
function arrive(form, answer, page) {
  answered += 1;
  const there = page.querySelector("main")?.dataset.page;
  if (there !== main.dataset.page) {
    // The response is another page: follow the redirect, or let the browser submit the form and show the response.
    // The idempotency key makes the second submit harmless.
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

/** Loads a chosen file into its text field, so that it can be checked before it is submitted. */
document.addEventListener("change", async (event) => {
  const chosen = /** @type {HTMLInputElement} */ (event.target);
  const into = chosen.dataset?.into && document.getElementById(chosen.dataset.into);
  const file = chosen.files?.[0];
  if (file && into instanceof HTMLTextAreaElement) into.value = await file.text();
});

// Controls that need a script --------------------------------------------------------------------------------------

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
