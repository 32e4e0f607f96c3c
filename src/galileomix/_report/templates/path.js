// How every number of clusters scores, and the choice of another one.

const PATH = { widest: 1100, narrowest: 280, height: 140, left: 76, right: 16, gap: 60, top: 26, tick: 45, key: 240 };
const CRITERIA = { aic: "AIC", bic: "BIC", density: "density" };

function showSizes() {
  const sizes = report.path.map((step) => step.k);
  const text = (k) => (k === report.chosen ? `${k} (chosen)` : String(k));
  const there = (k) => k in report.mixtures;
  byId("size").replaceChildren(...sizes.map((k) => option(k, there(k) ? text(k) : `${k} (left out)`, { disabled: there(k) ? undefined : "" })));
  byId("size").value = state.k;
  const absent = sizes.filter((k) => !there(k));
  if (absent.length) byId("path-left-out").textContent = `${absent.length} of ${sizes.length} numbers of clusters are left out of this file, to keep it small.`;
}

// As wide as there is room, so that the text is as large on a phone.
function pathWidth() {
  return Math.min(PATH.widest, Math.max(PATH.narrowest, byId("path-chart").clientWidth));
}

function showPath() {
  if (report.path.length === 1) return; // the section is hidden
  const panels = [["bic", "aic"], ["density"]];
  const height = PATH.top + panels.length * (PATH.height + PATH.gap);
  const chosen = state.k === report.chosen ? "the chosen number" : `${report.chosen} chosen`;
  const said = `AIC, BIC and density for ${report.path[0].k} to ${counted(report.path.at(-1).k, "cluster")}; ${state.k} shown, ${chosen}`;
  const drawing = panels.flatMap((names, i) => panel(names, PATH.top + i * (PATH.height + PATH.gap)));
  drawing.push(...marked(PATH.top));
  byId("path-chart").replaceChildren(picture(pathWidth(), height, said, ...drawing, ...hits(height)));
}

function across(k) {
  const [first, last] = [report.path[0].k, report.path.at(-1).k];
  const inner = pathWidth() - PATH.left - PATH.right;
  return last > first ? PATH.left + (inner * (k - first)) / (last - first) : PATH.left + inner / 2;
}

function panel(names, top) {
  const values = report.path.flatMap((step) => names.map((name) => step[name])).filter((value) => value !== null);
  if (!values.length) return [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const up = (value) => top + PATH.height - ((PATH.height - 8) * (value - low)) / (high - low || 1) - 4;
  const ends = [low, high].map((value) => drawn("text", { class: "faint", x: PATH.left - 10, y: up(value) + 4, "text-anchor": "end" }, figure(value)));
  const base = drawn("line", { class: "axis", x1: PATH.left, x2: pathWidth() - PATH.right, y1: top + PATH.height, y2: top + PATH.height });
  const at = ["chosen", "at"].map((kind) => {
    const x = across(kind === "at" ? state.k : report.chosen);
    return drawn("line", { class: kind, x1: x, x2: x, y1: top, y2: top + PATH.height });
  });
  return [...at, base, ...ends, ...ticks(top), ...names.flatMap((name, i) => curve(name, up, top, i))];
}

// Which number was chosen, and which is shown, beside their lines.
function marked(top) {
  const texts = state.k === report.chosen ? [[state.k, "chosen"]] : [[report.chosen, "chosen"], [state.k, "shown"]];
  return texts.map(([k, text], i) => {
    const left = across(k) > pathWidth() / 2;
    const place = { x: across(k) + (left ? -5 : 5), y: top + 12 + 15 * i, "text-anchor": left ? "end" : "start" };
    return drawn("text", { class: "mark", ...place }, `${k} ${text}`);
  });
}

function ticks(top) {
  const room = Math.max(1, Math.floor((pathWidth() - PATH.left - PATH.right) / PATH.tick));
  const every = Math.ceil(report.path.length / room);
  const shown = report.path.filter((step, i) => i % every === 0);
  return shown.map(({ k }) => drawn("text", { class: "faint", x: across(k), y: top + PATH.height + 16, "text-anchor": "middle" }, String(k)));
}

function curve(name, up, top, i) {
  const steps = report.path.filter((step) => step[name] !== null);
  const better = name === "density" ? (a, b) => b[name] > a[name] : (a, b) => b[name] < a[name];
  const best = steps.reduce((a, b) => (better(a, b) ? b : a));
  const line = steps.map((step) => `${across(step.k).toFixed(1)} ${up(step[name]).toFixed(1)}`).join(" L");
  const left = i * Math.min(PATH.key, pathWidth() / 2);
  const key = { class: `line ${name}`, d: `M${left} ${top - 12} h22` };
  return [
    drawn("path", { class: `line ${name}`, d: `M${line}` }),
    drawn("circle", { class: `dot ${name}`, cx: across(best.k), cy: up(best[name]), r: 4.5 }),
    drawn("path", key),
    drawn("text", { x: left + 30, y: top - 8 }, `${CRITERIA[name]}, best at ${counted(best.k, "cluster")}`),
  ];
}

function figure(value) {
  if (Math.abs(value) >= 1000) return value < 1e9 ? grouped(Math.round(value)) : value.toExponential(1);
  return Math.abs(value) >= 0.001 || value === 0 ? String(Number(value.toPrecision(3))) : value.toExponential(1);
}

// One strip for each number of clusters, to click on; the keyboard has the list at the top.
function hits(height) {
  const width = report.path.length > 1 ? across(report.path[1].k) - across(report.path[0].k) : 40;
  return report.path.map(({ k }) => {
    const there = k in report.mixtures;
    const strip = { class: there ? "hit" : "hit left-out", x: across(k) - width / 2, y: PATH.top, width, height: height - PATH.gap };
    return drawn("rect", { ...strip, "data-k": k, onclick: () => there && choose(k) }, drawn("title", {}, `${counted(k, "cluster")}${there ? "" : ", left out"}`));
  });
}
