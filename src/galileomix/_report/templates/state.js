// What the page was given, what the reader chose, and what follows from the two.

const report = JSON.parse(byId("data").textContent);
const columns = report.attributes;
const MORE_ROWS = 60;
const state = {
  ...{ k: report.chosen, sort: "size", query: "", cards: 24, order: "separates", tapped: null },
  rows: MORE_ROWS, // of the map
  ...{ open: new Set(), picked: null, allCompared: false }, // cards with all columns, the card to compare with
};

const LEVELS = [20, 35, 50, 65, 80];
const SURE = 1000;

function mixture() {
  return report.mixtures[state.k];
}

function clusterOf(label) {
  return mixture().clusters.find((cluster) => cluster.label === label);
}

function percent(thousandths) {
  if (thousandths > 0 && thousandths < 10) return `${(thousandths / 10).toFixed(1)}%`;
  return `${Math.round(thousandths / 10)}%`;
}

function share(fraction) {
  return percent(1000 * fraction);
}

function grouped(number) {
  return number.toLocaleString("en-US");
}

// A number of things in words; the plural adds an s.
function counted(number, one) {
  return `${grouped(number)} ${one}${number === 1 ? "" : "s"}`;
}

// How dark a cell is that differs from the whole by so many hundredths.
function level(hundredths) {
  return LEVELS.filter((least) => hundredths >= least).length;
}

// The values of a category in a cluster: [value, thousandths here, thousandths in the whole table].
function valuesOf(cluster, n) {
  const cell = cluster.cells[n];
  const here = new Map();
  for (let i = 0; i < cell.length; i += 2) here.set(cell[i], cell[i + 1]);
  return columns[n].values.map((value, v) => [value, here.get(v) ?? 0, columns[n].whole[v]]);
}

// What a cluster has more of than the whole table, in a word: a value that most of its records have;
// "not" a value that most others have; or a value with its share. Of a number it is the mean.
function standout(cluster, n) {
  const column = columns[n];
  const cell = cluster.cells[n];
  if (!cell) return { text: "", said: "not shown: there are too many cells" };
  if (column.axis || !column.n_values) return standoutOfNumber(column, cell);
  const values = valuesOf(cluster, n);
  const more = values.reduce((a, b) => (b[1] - b[2] > a[1] - a[2] ? b : a), ["", 0, 0]);
  const less = values.reduce((a, b) => (b[2] - b[1] > a[2] - a[1] ? b : a), ["", 0, 0]);
  const absent = more[1] < SURE / 2 && less[1] < SURE / 5 && less[2] - less[1] > more[1] - more[2];
  const [value, here, whole] = absent ? less : more;
  const word = absent ? `not ${value}` : here < SURE / 2 ? `${value} ${percent(here)}` : value;
  return { text: word, said: `${value} in ${percent(here)} of the records (whole table: ${percent(whole)})` };
}

function standoutOfNumber(column, cell) {
  const spike = cell[3] ?? 0;
  const excess = spike - (column.whole[0] ?? 0);
  if (spike >= 500 && excess > 0) {
    const text = column.values[0];
    return { text, said: `${text} in ${percent(spike)} of the records (whole table: ${percent(column.whole[0])})` };
  }
  return { text: cell[2], said: `about ${cell[2]} (whole table: ${column.mean})` };
}

// The columns of a cluster, those first in which it differs most.
function telling(cluster) {
  return columns.map((_, n) => n).filter((n) => cluster.cells[n]).sort((a, b) => cluster.differs[b] - cluster.differs[a]);
}

function total(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

const ORDERS = {
  size: (a, b) => b.size - a.size,
  density: (a, b) => b.density - a.density,
  differs: (a, b) => total(b.differs) - total(a.differs),
  name: (a, b) => a.name.localeCompare(b.name),
};

function sortedClusters() {
  return [...mixture().clusters].sort((a, b) => ORDERS[state.sort](a, b) || a.label - b.label);
}

// Whether each word of a search is in the name, in what sets the cluster apart, or in values that
// stand out; or whether it is the cluster's number, or how many records it has.
function mentions(cluster, query) {
  const [, number] = /^cluster (\d+)$/.exec(query) ?? [];
  if (number) return cluster.label === Number(number);
  if (query.replaceAll(",", "") === String(cluster.size)) return true;
  const words = [`cluster ${cluster.label}`, cluster.name, report.classes[cluster.label] ?? "", ...cluster.traits.map((trait) => trait[0])];
  const values = telling(cluster).filter((n) => level(cluster.differs[n])).map((n) => `${columns[n].name}=${standout(cluster, n).text}`);
  const texts = [...words, ...values].map(sought);
  return sought(query).split(/\s+/).every((word) => texts.some((text) => text.includes(word)));
}

// A text as searches compare it: whichever way it is written.
function sought(text) {
  return text.toLowerCase().replace(/\s*=\s*/g, "=");
}
