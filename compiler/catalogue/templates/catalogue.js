"use strict";
// What the page does: search, filter, sort, one thing at a time, the state in the address. All data stand in the page as
// text; nothing is ever put together as markup, so what an author writes stays text.

document.documentElement.classList.add("lively");
const $ = (id) => document.getElementById(id);
const list = $("things");
const things = [...list.children];
const search = $("search");
const sort = $("sort");
const selects = [...document.querySelectorAll("select[data-facet]")];
const dialog = $("details");
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const rows = new Map(things.map((thing, place) => [thing, {
  place,
  title: thing.dataset.title,
  kind: thing.dataset.kind,
  values: JSON.parse(thing.dataset.values),
  words: fold([thing.dataset.title, ...[...thing.querySelectorAll("[data-find]")].map((part) => part.textContent)].join(" ")),
}]));
let shown = things;
let open = null;
let side = "front";

// --- pictures: a text in the page becomes an image when it comes near

function picture(image, key) {
  const source = $(key);
  if (source !== null && image.dataset.shown !== key) {
    image.dataset.shown = key;
    image.src = source.textContent;
  }
}
const waiting = new Set(list.querySelectorAll("img[data-picture]"));
function draw(image) {
  waiting.delete(image);
  picture(image, image.dataset.picture);
}
const watch = new IntersectionObserver((seen) => {
  for (const one of seen) {
    if (one.isIntersecting) {
      watch.unobserve(one.target);
      draw(one.target);
    }
  }
}, { rootMargin: "600px" });
for (const image of waiting) watch.observe(image);
window.addEventListener("beforeprint", () => {
  for (const image of list.querySelectorAll("img[data-picture]")) {
    image.decoding = "sync";
    if (!image.closest("[hidden]")) draw(image);
  }
});

// --- what is shown

const wanted = () => selects.filter((select) => select.value !== "");
function fits(row, but) {
  return wanted().every((select) => select === but || (row.values[select.dataset.facet] || []).includes(select.value));
}
const compare = new Intl.Collator(document.documentElement.lang || "en", { numeric: true }).compare;
const orders = {
  place: (a, b) => a.place - b.place,
  title: (a, b) => compare(a.title, b.title) || a.place - b.place,
  kind: (a, b) => compare(a.kind, b.kind) || compare(a.title, b.title) || a.place - b.place,
};
function update() {
  const words = fold(search.value).split(/\s+/).filter((word) => word !== "");
  const found = (row) => words.every((word) => row.words.includes(word));
  for (const [thing, row] of rows) thing.hidden = !(found(row) && fits(row, null));
  const order = orders[sort.value] || orders.place;
  const sorted = [...things].sort((a, b) => order(rows.get(a), rows.get(b)));
  if (sorted.some((thing, place) => list.children[place] !== thing)) list.append(...sorted);
  shown = sorted.filter((thing) => !thing.hidden);
  $("count").textContent = `${shown.length} of ${things.length}`;
  $("nothing").hidden = shown.length > 0;
  $("clear").disabled = words.length === 0 && wanted().length === 0;
  for (const select of selects) {
    // Only what would leave something; a filter that says nothing about what is left goes away.
    const left = new Set();
    for (const row of rows.values()) if (found(row) && fits(row, select)) for (const value of row.values[select.dataset.facet] || []) left.add(value);
    for (const option of select.options) option.disabled = option.value !== "" && option.value !== select.value && !left.has(option.value);
    select.closest(".field").hidden = select.dataset.always === undefined && left.size === 0 && select.value === "";
    select.classList.toggle("set", select.value !== "");
  }
}

// --- one thing

function show(thing) {
  open = thing;
  side = "front";
  $("details-title").textContent = thing.dataset.title;
  $("details-facts").replaceChildren(...[...thing.querySelector(".facts").cloneNode(true).childNodes]);
  turn();
  const place = shown.indexOf(thing);
  $("previous").disabled = place <= 0;
  $("next").disabled = place < 0 || place >= shown.length - 1;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}
function turn() {
  const small = open.querySelector("img.picture");
  $("details-side").hidden = small === null;
  $("details-body").classList.toggle("bald", small === null);
  if (small === null) return;
  const { front, back } = open.dataset;
  const image = $("details-picture");
  const source = $(side === "back" ? back : front);
  image.className = `picture ${source.dataset.outline}`;
  image.width = Number(source.dataset.width);
  image.height = Number(source.dataset.height);
  image.alt = `${side === "back" ? "Back" : "Front"} of ${open.dataset.title}`;
  picture(image, source.id);
  $("turn").hidden = back === undefined;
  $("turn").textContent = side === "back" ? "Show the front" : "Show the back";
}
function step(by) {
  const next = shown[shown.indexOf(open) + by];
  if (next !== undefined && shown.includes(open)) {
    show(next);
    remember();
  }
}

// --- the address: #q=fire&kind=spell&sort=title&thing=rope

function remember() {
  const state = new URLSearchParams();
  if (search.value.trim() !== "") state.set("q", search.value.trim());
  for (const select of wanted()) state.set(select.dataset.facet, select.value);
  if (sort.value !== "place") state.set("sort", sort.value);
  if (open !== null) state.set("thing", open.id.slice("thing.".length));
  const text = state.toString();
  history.replaceState(null, "", text === "" ? location.pathname + location.search : `#${text}`);
}
function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  search.value = state.get("q") || "";
  for (const select of selects) {
    const value = state.get(select.dataset.facet) || "";
    select.value = [...select.options].some((option) => option.value === value) ? value : "";
  }
  sort.value = state.get("sort") in orders ? state.get("sort") : "place";
  const more = $("more");
  if (more !== null && wanted().some((select) => more.contains(select))) more.open = true;
  update();
  const thing = state.has("thing") ? $(`thing.${state.get("thing")}`) : null;
  if (thing !== null && rows.has(thing)) show(thing);
  else if (dialog.open) dialog.close();
}

search.addEventListener("input", () => { update(); remember(); });
for (const select of [sort, ...selects]) select.addEventListener("change", () => { update(); remember(); });
$("clear").addEventListener("click", () => {
  search.value = "";
  for (const select of selects) select.value = "";
  update();
  remember();
  search.focus();
});
list.addEventListener("click", (event) => {
  const button = event.target.closest(".open");
  if (button !== null) {
    show(button.closest(".thing"));
    remember();
  }
});
$("turn").addEventListener("click", () => { side = side === "front" ? "back" : "front"; turn(); });
$("details-picture").addEventListener("click", () => { if (!$("turn").hidden) $("turn").click(); });
$("previous").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") step(-1);
  else if (event.key === "ArrowRight") step(1);
});
dialog.addEventListener("close", () => {
  const thing = open;
  open = null;
  remember();
  if (thing !== null && !thing.hidden) thing.querySelector(".open").focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !dialog.open && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    search.focus();
  }
});
window.addEventListener("hashchange", recall);
recall();
