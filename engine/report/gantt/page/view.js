// What is shown: a range of time and a range of nodes.
const view = { from: limits.from, to: limits.to, low: 0, high: limits.nodes };
const SHORTEST = 1e-3;
const FEWEST = Math.min(1, limits.nodes);

// Puts a range into its limits; one that is too long becomes all of them.
function within(from, span, least, lowest, highest) {
  const size = Math.min(Math.max(span, least), highest - lowest);
  const start = Math.min(Math.max(from, lowest), highest - size);
  return [start, start + size];
}

function setTime(from, span) {
  [view.from, view.to] = within(from, span, SHORTEST, limits.from, limits.to);
}

function setNodes(low, span) {
  [view.low, view.high] = within(low, span, FEWEST, 0, limits.nodes);
}

// Zooms by a factor; what is at `anchor` (0 to 1 of what is shown) stays there.
function zoomTime(factor, anchor) {
  const span = view.to - view.from;
  const next = Math.min(Math.max(span * factor, SHORTEST), limits.to - limits.from);
  setTime(view.from + (span - next) * anchor, next);
}

function zoomNodes(factor, anchor) {
  const span = view.high - view.low;
  const next = Math.min(Math.max(span * factor, FEWEST), limits.nodes);
  setNodes(view.low + (span - next) * anchor, next);
}

// Moves by shares of what is shown.
function pan(time, nodes) {
  const [span, height] = [view.to - view.from, view.high - view.low];
  setTime(view.from + time * span, span);
  setNodes(view.low + nodes * height, height);
}

function showAll() {
  setTime(limits.from, limits.to - limits.from);
  setNodes(0, limits.nodes);
}

// Shows a job with some time before and after it, and its nodes where they are not in sight.
function showJob(job) {
  const own = piecesOf(job);
  if (!own.length) return;
  let [from, to] = [Infinity, -Infinity];
  for (const i of own) {
    from = Math.min(from, pieces.from[i]);
    to = Math.max(to, pieces.to[i]);
  }
  setTime(from - (to - from), 3 * (to - from));
  const ranges = nodesOf(job);
  const [low, high] = [ranges[0][0], ranges[ranges.length - 1][1] + 1];
  if (low < view.low || high > view.high) setNodes(low - (high - low), 3 * (high - low));
}
