// What happens when a reader chooses something.

function choose(k) {
  state.k = k;
  state.open.clear();
  byId("size").value = k;
  showAll();
}

function showAll() {
  showOtherSize();
  showMap();
  showPath();
  showCards();
  showChoices();
  showComparison();
  showColumns();
}

const OF_THE_CHOSEN = "The summary, typical records, the dependence of columns and the records that stand out are those of the";

function showOtherSize() {
  const line = byId("other-size");
  line.hidden = state.k === report.chosen;
  const chosen = report.chosen === 1 ? "1 was chosen" : `${report.chosen} were chosen`;
  const looking = `You are looking at ${counted(state.k, "cluster")}; ${chosen}.`;
  line.textContent = line.hidden ? "" : `${looking} ${OF_THE_CHOSEN} ${report.chosen}.`;
}

function darkNow() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function showTheme() {
  byId("theme").textContent = darkNow() ? "Light" : "Dark";
}

byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = darkNow() ? "light" : "dark";
  showTheme();
});
addEventListener("resize", () => {
  fitWords();
  showPath();
});
byId("size").addEventListener("change", (event) => choose(Number(event.target.value)));
byId("map-order").addEventListener("change", (event) => {
  state.order = event.target.value;
  showMap();
});
byId("search").addEventListener("input", (event) => {
  state.query = event.target.value.trim().toLowerCase();
  showCards();
});
byId("sort").addEventListener("change", (event) => {
  state.sort = event.target.value;
  showMap();
  showCards();
});
byId("map-more").addEventListener("click", () => {
  state.rows += MORE_ROWS;
  showMap();
});
byId("more").addEventListener("click", () => {
  state.cards += 24;
  showCards();
});
for (const id of ["first", "second"]) {
  byId(id).addEventListener("change", () => {
    state.picked = null;
    showComparison();
  });
}
byId("compare-all").addEventListener("click", () => {
  state.allCompared = !state.allCompared;
  showComparison();
});
byId("attribute-sort").addEventListener("change", showColumns);

showTheme();
showLegend();
showSizes();
showPairs();
showAll();
