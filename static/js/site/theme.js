// The toggle flips what is seen. Choosing what the system shows anyway means
// following the system again.
document.addEventListener("click", ({ target }) => target.closest("[data-theme-toggle]") && afterPaint(() => {
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = (dataset.theme || system) === "dark" ? "light" : "dark";
  dataset.theme = theme === system ? "" : theme;
  keep("theme", dataset.theme);
  announce(theme === "dark" ? "Dark theme" : "Light theme");
}));
