// What is said in words: the range shown, the legend, and the facts of a job.
const box = document.getElementById("facts");

function sayRange() {
  const range = view.to - view.from;
  const step = Math.min(tickStep(range, 10), HOUR);
  const nodes = `nodes ${Math.floor(view.low)}–${Math.ceil(view.high) - 1}`;
  const [first, end] = slicesInSight();
  const hidden = slices.from.length && first === end ? "; slices too narrow to show" : "";
  document.getElementById("range").textContent =
    `${instant(view.from, step)} – ${instant(view.to, step)} (${length(range)}), ${nodes}${hidden}`;
}

function sayLegend() {
  const legend = document.getElementById("legend");
  const bold = document.createElement("b");
  bold.textContent = colouring.heading;
  const samples = colouring.colours.map((colour, shade) => sample(colour, colouring.labels[shade]));
  if (pieces.loading.includes(1)) samples.push(sample(hatches[0], "loading (hatched)"));
  if (swaps.at.length) samples.push(sample(data.swapColour, "memory swapped out", 3));
  legend.replaceChildren(bold, ...samples);
}

function sample(style, label, width = 18) {
  const span = document.createElement("span");
  const swatch = document.createElement("canvas");
  [swatch.width, swatch.height] = [width, 12];
  swatch.style.width = `${width}px`;
  const pen = swatch.getContext("2d");
  pen.fillStyle = style;
  pen.fillRect(0, 0, width, 12);
  span.append(swatch, label);
  return span;
}

function factsOf(job) {
  const at = (column) => jobs[column][job];
  const classes = data.colourings.find((it) => it.name === "class");
  const nodes = nodesOf(job).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const shown = nodes.length > 12 ? [...nodes.slice(0, 12), `… (${nodes.length} ranges)`] : nodes;
  const facts = [
    ["class", classes.labels[at("class")]],
    ["size", `${grouped(at("size"))} ${at("size") === 1 ? "node" : "nodes"}`],
    ["memory", at("memory") ? `${grouped(at("memory"))} kB per node` : "none given"],
    ["submit", instant(at("submit"), 1)],
    ["start", at("start") === null ? "never" : instant(at("start"), 1)],
    ["end", `${instant(at("end"), 1)}${at("killed") ? " (killed)" : ""}`],
    ["run time", `${length(at("run"))} (requested ${length(at("estimate"))})`],
    ["wait", length((at("start") ?? at("end")) - at("submit"))],
    ["response", length(at("end") - at("submit"))],
    ["load", length(at("load"))],
    ["swap", length(at("swap"))],
    ["nodes", shown.join(", ")],
  ];
  if (at("suspensions")) facts.splice(-1, 0, ["suspended", at("suspensions") === 1 ? "once" : `${at("suspensions")} times`]);
  return facts;
}

// Shows the facts of a job beside a place on the chart, or hides them.
function sayFacts(job, loading, x, y) {
  const state = document.documentElement.dataset;
  box.hidden = job < 0;
  if (job < 0) {
    delete state.job;
    return;
  }
  state.job = jobs.id[job];
  const name = document.createElement("b");
  name.textContent = `job ${jobs.id[job]}${loading ? " (loading)" : ""}`;
  const list = document.createElement("dl");
  for (const [term, text] of factsOf(job)) {
    const [key, value] = [document.createElement("dt"), document.createElement("dd")];
    key.textContent = term;
    value.textContent = text;
    list.append(key, value);
  }
  box.replaceChildren(name, list);
  const room = chart.getBoundingClientRect();
  const left = x + 16 + box.offsetWidth > room.width ? x - 16 - box.offsetWidth : x + 16;
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${Math.max(0, Math.min(y + 12, room.height - box.offsetHeight))}px`;
}
