// The schedule: columns of numbers, times in seconds. Pieces are in order of their starts.
const data = JSON.parse(document.getElementById("data").textContent);
const jobs = data.jobs;
const swaps = data.swaps;
const slices = data.slices;
const limits = { from: data.from, to: data.to, nodes: data.nodes };
const pieces = {
  count: data.pieces.job.length,
  job: Int32Array.from(data.pieces.job),
  first: Int32Array.from(data.pieces.first),
  last: Int32Array.from(data.pieces.last),
  from: Float64Array.from(data.pieces.from),
  to: Float64Array.from(data.pieces.to),
  loading: Uint8Array.from(data.pieces.loading),
};
data.pieces = null;

// Pieces in blocks with their latest ends: what lies in a range of time is found without looking at all of them.
const BLOCK = 128;
const latest = new Float64Array(Math.ceil(pieces.count / BLOCK)).fill(-Infinity);
for (let i = 0; i < pieces.count; i++) {
  const block = Math.floor(i / BLOCK);
  if (pieces.to[i] > latest[block]) latest[block] = pieces.to[i];
}

// The first position in sorted numbers whose value is not below `value`.
function lowerBound(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Calls `visit` for every piece that lies in a range of time, at least in part.
function eachIn(from, to, visit) {
  const end = lowerBound(pieces.from, to);
  for (let block = 0; block * BLOCK < end; block++) {
    if (latest[block] <= from) continue;
    const stop = Math.min(end, (block + 1) * BLOCK);
    for (let i = block * BLOCK; i < stop; i++) if (pieces.to[i] > from) visit(i);
  }
}

// The piece at an instant on a node, or -1.
function pieceAt(time, node) {
  let found = -1;
  eachIn(time, time + 1e-9 * Math.max(1, Math.abs(time)), (i) => {
    if (pieces.first[i] <= node && node <= pieces.last[i] && pieces.from[i] <= time) found = i;
  });
  return found;
}

// The pieces of each job, in order of time: those of job j are ofJob[begin[j]] up to ofJob[begin[j + 1] - 1].
const begin = new Int32Array(jobs.id.length + 1);
for (const job of pieces.job) begin[job + 1]++;
for (let j = 0; j < jobs.id.length; j++) begin[j + 1] += begin[j];
const ofJob = new Int32Array(pieces.count);
{
  const next = begin.slice();
  for (let i = 0; i < pieces.count; i++) ofJob[next[pieces.job[i]]++] = i;
}
const piecesOf = (job) => ofJob.subarray(begin[job], begin[job + 1]);

// The ranges of nodes that a job is on, in ascending order.
function nodesOf(job) {
  const seen = new Map();
  for (const i of piecesOf(job)) seen.set(pieces.first[i], pieces.last[i]);
  return [...seen].sort((a, b) => a[0] - b[0]);
}

// The mean number of busy nodes in each of so many equal parts of all time.
function busyNodes(parts) {
  const width = (limits.to - limits.from) / parts;
  const share = new Float64Array(parts + 1);
  const change = new Float64Array(parts + 1);
  for (let i = 0; i < pieces.count; i++) {
    const nodes = pieces.last[i] - pieces.first[i] + 1;
    const from = Math.max(0, (pieces.from[i] - limits.from) / width);
    const to = Math.min(parts, (pieces.to[i] - limits.from) / width);
    const a = Math.floor(from);
    const b = Math.floor(to);
    if (a === b) {
      share[a] += nodes * (to - from);
    } else {
      share[a] += nodes * (a + 1 - from);
      share[b] += nodes * (to - b);
      change[a + 1] += nodes;
      change[b] -= nodes;
    }
  }
  let whole = 0;
  for (let part = 0; part < parts; part++) {
    whole += change[part];
    share[part] += whole;
  }
  return share.subarray(0, parts);
}
