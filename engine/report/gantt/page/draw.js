// Drawing: the plot with its axes, and the overview below it.
const chart = document.getElementById("chart");
const plot = document.getElementById("plot");
const overview = document.getElementById("overview");
const paper = plot.getContext("2d");
const small = overview.getContext("2d");
const INK = "#212529";
const SOFT = "#5a626a";
const GRID = "#e2e6ea";
const FONT = '12px Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif';
const OVERVIEW = 46;
const GAP = 6;
// Slices narrower than this on average are not drawn.
const LEAST_SLICE = 5;
// No piece is drawn narrower than this, so that none disappears.
const LEAST_WIDTH = 0.5;
// From this width and height on pieces have an edge; loading is hatched.
const EDGED = 4;
const area = { left: 58, top: slices.from.length ? 18 : 4, width: 0, height: 0 };
let colouring = data.colourings.find((it) => it.name === data.colouring);
let selected = -1;
let hovered = -1;
let hatches = [];
let drawnOverview = null;

const xOf = (time) => area.left + ((time - view.from) / (view.to - view.from)) * area.width;
const yOf = (node) => area.top + ((node - view.low) / (view.high - view.low)) * area.height;
const timeAt = (x) => view.from + ((x - area.left) / area.width) * (view.to - view.from);
const nodeAt = (y) => Math.floor(view.low + ((y - area.top) / area.height) * (view.high - view.low));

// Diagonal stripes of a colour on its light form.
function hatch(colour, light) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  pen.fillStyle = light;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift - 1, 7);
    pen.lineTo(shift + 7, -1);
  }
  pen.stroke();
  return paper.createPattern(tile, "repeat");
}

function setColouring(name) {
  colouring = data.colourings.find((it) => it.name === name);
  hatches = colouring.colours.map((colour, shade) => hatch(colour, colouring.light[shade]));
}

function resize() {
  const room = chart.getBoundingClientRect();
  const [width, height] = [Math.floor(room.width), Math.floor(room.height)];
  const scale = window.devicePixelRatio || 1;
  const size = (canvas, pen, high) => {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(high * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${high}px`;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
  };
  const high = Math.max(120, height - OVERVIEW - GAP);
  size(plot, paper, high);
  size(overview, small, OVERVIEW);
  area.width = Math.max(50, width - area.left - 12);
  area.height = high - area.top - 24;
  drawnOverview = null;
}

function drawPieces() {
  const shadeOf = jobs[colouring.name];
  let count = 0;
  let last = null;
  const labels = [];
  eachIn(view.from, view.to, (i) => {
    if (pieces.last[i] + 1 <= view.low || pieces.first[i] >= view.high) return;
    const left = Math.max(xOf(pieces.from[i]), area.left - 10);
    const right = Math.min(xOf(pieces.to[i]), area.left + area.width + 10);
    const top = Math.max(yOf(pieces.first[i]), area.top - 10);
    const bottom = Math.min(yOf(pieces.last[i] + 1), area.top + area.height + 10);
    const edge = right - left >= EDGED && bottom - top >= EDGED ? 0.75 : 0;
    const shade = shadeOf[pieces.job[i]];
    let style = colouring.colours[shade];
    if (pieces.loading[i]) style = edge ? hatches[shade] : colouring.light[shade];
    if (style !== last) paper.fillStyle = last = style;
    paper.fillRect(left, top, Math.max(right - left - edge, LEAST_WIDTH), bottom - top - edge);
    count++;
    if (right - left > 26 && bottom - top > 12 && !pieces.loading[i]) labels.push(i, left, right, (top + bottom) / 2);
  });
  paper.textAlign = "center";
  paper.textBaseline = "middle";
  for (let at = 0; at < labels.length; at += 4) {
    const [i, left, right, y] = labels.slice(at, at + 4);
    const text = String(jobs.id[pieces.job[i]]);
    if (paper.measureText(text).width + 6 > right - left) continue;
    paper.fillStyle = isDark(colouring.colours[shadeOf[pieces.job[i]]]) ? "#fff" : INK;
    paper.fillText(text, (Math.max(left, area.left) + Math.min(right, area.left + area.width)) / 2, y);
  }
  return count;
}

function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 140;
}

// A stroke on the nodes of every job that lost memory, where it happened.
function drawSwaps() {
  const end = lowerBound(swaps.at, view.to);
  paper.fillStyle = data.swapColour;
  for (let i = lowerBound(swaps.at, view.from); i < end; i++) {
    for (const [first, last] of nodesOf(swaps.job[i])) {
      if (last < view.low || first >= view.high) continue;
      paper.fillRect(xOf(swaps.at[i]) - 1, yOf(first), 2, Math.max(1, yOf(last + 1) - yOf(first)));
    }
  }
}

// The positions of the slices in sight; none where they would be too narrow to tell apart.
function slicesInSight() {
  const first = Math.max(0, lowerBound(slices.from, view.from + 1e-9) - 1);
  const end = lowerBound(slices.from, view.to);
  return area.width / (end - first) >= LEAST_SLICE ? [first, end] : [0, 0];
}

function drawSlices() {
  const [first, end] = slicesInSight();
  paper.textAlign = "center";
  paper.textBaseline = "middle";
  for (let i = first; i < end; i++) {
    const left = Math.max(area.left, xOf(slices.from[i]));
    const right = Math.min(area.left + area.width, i + 1 < slices.from.length ? xOf(slices.from[i + 1]) : Infinity);
    if (slices.from[i] > view.from) {
      paper.fillStyle = "#21252973";
      paper.fillRect(Math.round(left) - 0.5, 2, 1, area.top + area.height - 2);
    }
    paper.fillStyle = SOFT;
    const fits = (text) => paper.measureText(text).width + 4 <= right - left;
    const text = [slices.name[i], slices.name[i][0]].find(fits);
    if (text) paper.fillText(text, (left + right) / 2, 9);
  }
}

// Black edges around a job.
function outline(job, width) {
  if (job < 0) return;
  paper.strokeStyle = "#000";
  paper.lineWidth = width;
  for (const i of piecesOf(job)) {
    if (pieces.to[i] <= view.from || pieces.from[i] >= view.to) continue;
    const [left, right] = [xOf(pieces.from[i]), xOf(pieces.to[i])];
    const [top, bottom] = [yOf(pieces.first[i]), yOf(pieces.last[i] + 1)];
    paper.strokeRect(left, top, Math.max(right - left, 1), Math.max(bottom - top, 1));
  }
}

function eachTick(visit) {
  const step = tickStep(view.to - view.from, Math.max(1, Math.floor(area.width / 110)));
  for (let index = Math.ceil(view.from / step); index * step <= view.to; index++) visit(index * step, step);
}

function drawGrid() {
  paper.fillStyle = GRID;
  eachTick((time) => paper.fillRect(Math.round(xOf(time)) - 0.5, area.top, 1, area.height));
}

function drawAxes() {
  const { left, top, width, height } = area;
  paper.clearRect(0, 0, left, top + height + 24);
  paper.clearRect(left + width, 0, 40, top + height + 24);
  paper.strokeStyle = INK;
  paper.lineWidth = 1;
  paper.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
  paper.fillStyle = INK;
  paper.textAlign = "center";
  paper.textBaseline = "top";
  eachTick((time, step) => {
    const text = instant(time, step);
    const half = paper.measureText(text).width / 2;
    paper.fillRect(Math.round(xOf(time)) - 0.5, top + height, 1, 4);
    paper.fillText(text, Math.min(Math.max(xOf(time), half), left + width + 12 - half), top + height + 7);
  });
  paper.textAlign = "right";
  paper.textBaseline = "middle";
  let step = 1;
  while ((step * height) / (view.high - view.low) < 20) step *= 2;
  for (let node = Math.ceil(view.low / step) * step; node < view.high; node += step) {
    const y = Math.min(Math.max(yOf(node + 0.5), top), top + height);
    paper.fillRect(left - 4, Math.round(y) - 0.5, 4, 1);
    paper.fillText(String(node), left - 8, y);
  }
  paper.save();
  paper.translate(10, top + height / 2);
  paper.rotate(-Math.PI / 2);
  paper.textAlign = "center";
  paper.fillStyle = SOFT;
  paper.fillText("node", 0, 0);
  paper.restore();
}

// Busy nodes over all of the time, and what of it is shown.
function drawOverview() {
  const width = Math.floor(area.width);
  if (!drawnOverview) {
    drawnOverview = document.createElement("canvas");
    [drawnOverview.width, drawnOverview.height] = [width, OVERVIEW];
    const pen = drawnOverview.getContext("2d");
    pen.fillStyle = "#adb5bd";
    busyNodes(width).forEach((nodes, x) => {
      const high = (nodes / limits.nodes) * (OVERVIEW - 2);
      pen.fillRect(x, OVERVIEW - 1 - high, 1, high);
    });
  }
  small.clearRect(0, 0, area.left + area.width + 40, OVERVIEW);
  small.drawImage(drawnOverview, area.left, 0);
  const at = (time) => area.left + ((time - limits.from) / (limits.to - limits.from)) * area.width;
  const [from, to] = [at(view.from), at(view.to)];
  small.fillStyle = "#0072b226";
  small.fillRect(from, 0, Math.max(to - from, 2), OVERVIEW);
  small.strokeStyle = "#0072b2";
  small.strokeRect(from, 0.5, Math.max(to - from, 2), OVERVIEW - 1);
  small.font = FONT;
  small.fillStyle = SOFT;
  small.textAlign = "right";
  small.textBaseline = "middle";
  small.fillText("busy", area.left - 8, OVERVIEW / 2 - 7);
  small.fillText("nodes", area.left - 8, OVERVIEW / 2 + 7);
}

let asked = false;

// Draws before the next frame, once however often it is called.
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    draw();
  });
}

function draw() {
  const began = performance.now();
  paper.clearRect(0, 0, area.left + area.width + 40, area.top + area.height + 24);
  paper.font = FONT;
  drawGrid();
  const count = drawPieces();
  drawSwaps();
  outline(selected, 2);
  if (hovered !== selected) outline(hovered, 1.25);
  drawAxes();
  if (slices.from.length) drawSlices();
  drawOverview();
  sayRange();
  // What is shown, for those who look from outside.
  const state = document.documentElement.dataset;
  Object.assign(state, { rectangles: count, from: view.from, to: view.to, low: view.low, high: view.high });
  state.drawMs = (performance.now() - began).toFixed(1);
  state.firstDrawMs ??= performance.now().toFixed(1);
}
