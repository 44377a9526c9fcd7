// Times as people read them. The ticks are those of the picture.
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86400;
const STEPS = [1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,
  1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
  HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR];

// The smallest readable step with at most so many of them in a range.
function tickStep(range, most) {
  for (const step of STEPS) if (range / step <= most) return step;
  for (let unit = DAY; ; unit *= 10) {
    for (const factor of [1, 2, 5]) if (range / (unit * factor) <= most) return unit * factor;
  }
}

const two = (number) => String(number).padStart(2, "0");

// An instant, as finely as the step between ticks asks for.
function instant(at, step) {
  const us = Math.round(at * 1e6);
  const days = Math.floor(us / (DAY * 1e6));
  if (step >= DAY) return `${days} d`;
  const rest = us - days * DAY * 1e6;
  const second = Math.floor(rest / 1e6);
  const clock = `${days ? `${days} d ` : ""}${two(Math.floor(second / HOUR))}:${two(Math.floor(second / MINUTE) % 60)}`;
  if (step >= MINUTE) return clock;
  const digits = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const fraction = digits ? `.${String(rest % 1e6).padStart(6, "0").slice(0, digits)}` : "";
  return `${clock}:${two(second % 60)}${fraction}`;
}

// A length of time: the two largest units.
function length(seconds) {
  if (seconds < MINUTE) return `${Number(seconds.toFixed(6))} s`;
  const units = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"], [1, "s"]];
  const at = units.findIndex(([unit]) => seconds >= unit);
  const rest = Math.floor((seconds % units[at][0]) / units[at + 1][0]);
  return `${Math.floor(seconds / units[at][0])} ${units[at][1]}${rest ? ` ${rest} ${units[at + 1][1]}` : ""}`;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
