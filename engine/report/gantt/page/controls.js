// Wheel, pointer, keys, buttons.
const STEP = 1.5;
const byId = (id) => document.getElementById(id);

function place(event) {
  const { left, top } = plot.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

const inPlot = (x, y) => x >= area.left && x < area.left + area.width && y >= area.top && y < area.top + area.height;

function hover(event) {
  const [x, y] = place(event);
  const found = inPlot(x, y) ? pieceAt(timeAt(x), nodeAt(y)) : -1;
  const job = found < 0 ? -1 : pieces.job[found];
  if (job !== hovered) redraw();
  hovered = job;
  sayFacts(job, found >= 0 && pieces.loading[found], x, y);
}

function unhover() {
  if (hovered >= 0) redraw();
  hovered = -1;
  sayFacts(-1);
}

plot.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [x, y] = place(event);
  // Browsers turn the wheel sideways while Shift is held.
  const turned = event.shiftKey ? event.deltaY || event.deltaX : event.deltaY;
  const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
  if (event.shiftKey) zoomNodes(Math.exp(turned * lines * 0.002), (y - area.top) / area.height);
  else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX * lines) / area.width, 0);
  else zoomTime(Math.exp(turned * lines * 0.002), (x - area.left) / area.width);
  hover(event);
  redraw();
}, { passive: false });

// Where the pointer went down, and how far it has moved since.
let drag = null;
plot.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  drag = { x: event.clientX, y: event.clientY, moved: 0 };
  plot.setPointerCapture(event.pointerId);
});
plot.addEventListener("pointermove", (event) => {
  if (!drag) return hover(event);
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  drag.moved += Math.abs(dx) + Math.abs(dy);
  if (drag.moved < 4) return;
  plot.classList.add("dragged");
  pan(-dx / area.width, -dy / area.height);
  [drag.x, drag.y] = [event.clientX, event.clientY];
  unhover();
  redraw();
});
plot.addEventListener("pointerup", (event) => {
  plot.classList.remove("dragged");
  const clicked = drag && drag.moved < 4;
  drag = null;
  if (!clicked) return;
  const [x, y] = place(event);
  const found = inPlot(x, y) ? pieceAt(timeAt(x), nodeAt(y)) : -1;
  selected = found < 0 || pieces.job[found] === selected ? -1 : pieces.job[found];
  redraw();
});
plot.addEventListener("pointercancel", () => {
  plot.classList.remove("dragged");
  drag = null;
});
plot.addEventListener("pointerleave", unhover);

function goTo(event) {
  const { left } = overview.getBoundingClientRect();
  const share = (event.clientX - left - area.left) / area.width;
  const span = view.to - view.from;
  setTime(limits.from + share * (limits.to - limits.from) - span / 2, span);
  redraw();
}
overview.addEventListener("pointerdown", (event) => {
  overview.setPointerCapture(event.pointerId);
  goTo(event);
});
overview.addEventListener("pointermove", (event) => {
  if (event.buttons & 1) goTo(event);
});

const actions = {
  "time-in": () => zoomTime(1 / STEP, 0.5),
  "time-out": () => zoomTime(STEP, 0.5),
  "nodes-in": () => zoomNodes(1 / STEP, 0.5),
  "nodes-out": () => zoomNodes(STEP, 0.5),
  back: () => pan(-0.25, 0),
  forth: () => pan(0.25, 0),
  up: () => pan(0, -0.25),
  down: () => pan(0, 0.25),
  start: () => setTime(limits.from, view.to - view.from),
  end: () => setTime(limits.to, view.to - view.from),
  all: showAll,
  none: () => { selected = -1; },
};
const keys = {
  "+": "time-in", "=": "time-in", "-": "time-out", i: "nodes-in", o: "nodes-out",
  ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "up", ArrowDown: "down",
  Home: "start", End: "end", 0: "all", Escape: "none",
};

function act(name) {
  actions[name]();
  unhover();
  redraw();
}

for (const id of ["time-in", "time-out", "nodes-in", "nodes-out", "back", "forth", "all"]) {
  byId(id).addEventListener("click", () => act(id));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  const name = keys[event.key];
  if (!name) return;
  event.preventDefault();
  act(name);
});

const positions = new Map(jobs.id.map((id, job) => [String(id), job]));
byId("find").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = byId("number");
  const job = positions.get(field.value.trim());
  field.setCustomValidity(job === undefined ? "there is no such job in this chart" : "");
  field.reportValidity();
  if (job === undefined) return;
  selected = job;
  showJob(job);
  draw();
  const own = piecesOf(job);
  if (own.length) sayFacts(job, false, xOf(pieces.to[own[own.length - 1]]), yOf(pieces.first[own[0]]));
  chart.focus();
});
byId("number").addEventListener("input", () => byId("number").setCustomValidity(""));

for (const { name } of data.colourings) byId("colouring").append(new Option(name, name, false, name === colouring.name));
byId("colouring").addEventListener("change", (event) => {
  setColouring(event.target.value);
  sayLegend();
  redraw();
});

setColouring(colouring.name);
sayLegend();
new ResizeObserver(() => {
  resize();
  draw();
}).observe(chart);
