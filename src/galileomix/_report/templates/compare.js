// Two clusters side by side, in the columns in which they differ most or in all of them.

const COMPARED = 10;

function showChoices() {
  const options = () => mixture().clusters.map((cluster) => option(cluster.label, `${cluster.label}: ${clipped(cluster.name, 40)}`));
  byId("first").replaceChildren(...options());
  byId("second").replaceChildren(...options());
  byId("second").selectedIndex = state.k > 1 ? 1 : 0;
  state.picked = null;
  byId("compare").hidden = byId("compare-link").hidden = state.k < 2;
}

function showComparison() {
  const [first, second] = ["first", "second"].map((id) => clusterOf(Number(byId(id).value)));
  const places = columns.map((_, n) => n).filter((n) => first.cells[n] && second.cells[n]);
  const apart = new Map(places.map((n) => [n, distance(first, second, n)]));
  places.sort((a, b) => apart.get(b) - apart.get(a));
  const rows = places.slice(0, state.allCompared ? places.length : COMPARED).flatMap((n) => compared(first, second, n, apart.get(n)));
  const head = (cluster) => element("div", {}, element("h3", {}, `Cluster ${cluster.label}`), quoted(cluster.name), element("p", { class: "figures" }, `${counted(cluster.size, "record")} (${share(cluster.share)})`));
  showCompared(places.length);
  byId("comparison").replaceChildren(element("div", { class: "side-by-side" }, element("div", { class: "corner" }), head(first), head(second), ...rows));
}

// Says how many columns are compared, on the button that shows all of them.
function showCompared(places) {
  const shown = state.allCompared ? places : Math.min(COMPARED, places);
  const some = `The ${shown} of ${report.n_attributes} columns in which they differ most are shown.`;
  byId("compared").textContent = shown < report.n_attributes ? some : "The columns in which they differ most come first.";
  byId("compare-all").hidden = places <= COMPARED;
  byId("compare-all").textContent = places > COMPARED ? columnsInWords(places, state.allCompared) : "";
  byId("compare-all").setAttribute("aria-expanded", String(state.allCompared));
}

// The cards of which the button was pressed last are compared: two of them, where there are two.
function compareCard(label) {
  const [first, second] = [byId("first"), byId("second")];
  if (state.picked !== null && state.picked !== label) [first.value, second.value] = [state.picked, label];
  else {
    first.value = label;
    if (second.value === first.value) second.selectedIndex = second.selectedIndex ? 0 : 1;
  }
  state.picked = label;
  showComparison();
  byId("compare").scrollIntoView();
  second.focus({ preventScroll: true });
}

function compared(first, second, n, apart) {
  const what = element("div", { class: "what" }, element("strong", {}, quoted(columns[n].name)), element("p", { class: "figures" }, `${Math.round(100 * apart)}% of the records differ`));
  return [
    element("div", { class: "rule" }),
    what,
    element("div", {}, which(first), distribution(first, n, [first, second])),
    element("div", { class: "other" }, which(second), distribution(second, n, [first, second])),
  ];
}

// On narrow screens one cluster is below the other.
function which(cluster) {
  return element("p", { class: "which figures" }, `Cluster ${cluster.label}`);
}

// The share of the records by which two clusters differ in a column.
function distance(first, second, n) {
  const column = columns[n];
  if (column.n_values) {
    const [here, there] = [first, second].map((cluster) => valuesOf(cluster, n).map((value) => value[1] / SURE));
    return 0.5 * total(here.map((p, v) => Math.abs(p - there[v])));
  }
  if (!column.axis) return 0;
  const [here, there] = [first, second].map((cluster) => scaled(densities(column.axis, [cluster.cells[n]], [1])));
  const spikes = [first, second].map((cluster) => (cluster.cells[n][3] ?? 0) / SURE);
  const numbers = here.map((p, i) => Math.abs((1 - spikes[0]) * p - (1 - spikes[1]) * there[i]));
  return Math.min(0.5 * (total(numbers) + Math.abs(spikes[0] - spikes[1])), 1);
}

function scaled(curve) {
  const all = total(curve) || 1;
  return curve.map((value) => value / all);
}
