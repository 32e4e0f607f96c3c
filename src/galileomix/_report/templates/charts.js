// One distribution of a cluster beside that of the whole table.

const ROW = 19;
const WIDTH = 330;
const BARS = { from: 128, width: 150 };
const MOST_BARS = 5;
const LEAST_REST = 5; // thousandths

// Clusters that are drawn side by side have the same values, in the same order.
function distribution(cluster, n, together = [cluster]) {
  const column = columns[n];
  return column.axis || !column.n_values ? curves(cluster, n) : bars(cluster, n, together);
}

function bars(cluster, n, together) {
  const column = columns[n];
  const all = valuesOf(cluster, n);
  const shares = together.map((one) => valuesOf(one, n).map((value) => value[1]));
  const most = all.map((value, v) => Math.max(value[2], ...shares.map((one) => one[v])));
  const places = all.map((_, v) => v).filter((v) => most[v] > 0);
  const best = [...places].sort((a, b) => most[b] - most[a]).slice(0, MOST_BARS);
  const values = places.filter((v) => best.includes(v)).map((v) => all[v]);
  const rest = [SURE - total(values.map((v) => v[1])), SURE - total(values.map((v) => v[2]))];
  if (values.length < column.n_values && Math.max(...rest) >= LEAST_REST) {
    values.push(["all others", Math.max(rest[0], 0), Math.max(rest[1], 0)]);
  }
  const said = values.map(([value, here, whole]) => `${value} ${percent(here)}, whole table ${percent(whole)}`);
  const rows = values.flatMap((value, row) => bar(value, row * ROW));
  return picture(WIDTH, values.length * ROW + 2, `${column.name}: ${said.join("; ")}`, ...rows);
}

function bar([value, here, whole], y) {
  const length = (thousandths) => (BARS.width * thousandths) / SURE;
  const label = drawn("text", { x: 0, y: y + 14 }, clipped(value, 19), drawn("title", {}, value));
  const outline = { class: "bar-whole", x: BARS.from, y: y + 2.5, width: length(whole), height: ROW - 5 };
  return [
    label,
    drawn("rect", { class: "bar-here", x: BARS.from, y: y + 5, width: length(here), height: ROW - 10 }),
    drawn("rect", outline),
    drawn("text", { class: "faint", x: WIDTH, y: y + 14, "text-anchor": "end" }, percent(here)),
  ];
}

const CURVE = { height: 64, points: 96 };

function curves(cluster, n) {
  const column = columns[n];
  const cell = cluster.cells[n];
  const said = `${column.name}: ${standout(cluster, n).said}`;
  if (!column.axis) return picture(WIDTH, ROW, said, drawn("text", { x: 0, y: 14 }, `the same in all records`));
  const here = densities(column.axis, [cell], [1]);
  const parts = mixture().clusters.filter((one) => one.cells[n]);
  const whole = densities(column.axis, parts.map((one) => one.cells[n]), parts.map((one) => one.share));
  const most = Math.max(...whole, Math.min(Math.max(...here), 4 * Math.max(...whole)));
  return picture(
    WIDTH,
    CURVE.height + (column.values.length ? 2 * ROW : ROW) + 2,
    said,
    drawn("path", { class: "curve-here", d: outlined(here, most, true) }),
    drawn("path", { class: "curve-whole", d: outlined(whole, most, false) }),
    drawn("line", { class: "axis", x1: 0, x2: WIDTH, y1: CURVE.height, y2: CURVE.height }),
    ...labels(column.axis),
    ...(column.values.length ? bar([column.values[0], cell[3], column.whole[0]], CURVE.height + ROW) : []),
  );
}

// The density of a mixture of normal distributions at the points of an axis; spikes are left out.
function densities(axis, cells, weights) {
  const points = Array.from({ length: CURVE.points }, (_, i) => axis.low + ((axis.high - axis.low) * i) / (CURVE.points - 1));
  const known = weights.map((weight, i) => weight * (1 - (cells[i][3] ?? 0) / SURE));
  const all = total(known) || 1;
  return points.map((x) => total(cells.map(([mean, deviation], i) => {
    const away = (x - mean) / Math.max(deviation, 1e-3);
    return (known[i] / all) * Math.exp(-0.5 * away * away) / Math.max(deviation, 1e-3);
  })));
}

function outlined(curve, most, closed) {
  const step = WIDTH / (curve.length - 1);
  const height = (value) => CURVE.height - (CURVE.height - 4) * Math.min(value / most, 1);
  const line = curve.map((value, i) => `${(i * step).toFixed(1)} ${height(value).toFixed(1)}`).join(" L");
  return closed ? `M0 ${CURVE.height} L${line} L${WIDTH} ${CURVE.height} Z` : `M${line}`;
}

function labels(axis) {
  const last = axis.labels.length - 1;
  const anchor = (i) => (i === 0 ? "start" : i === last ? "end" : "middle");
  const place = (i) => ({ class: "faint", x: (WIDTH * i) / last, y: CURVE.height + 14, "text-anchor": anchor(i) });
  return axis.labels.map((text, i) => drawn("text", place(i), text));
}
