// The toggle flips what is seen. Choosing what the system shows anyway means
// following the system again.
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-toggle]")) return;
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = (root.dataset.theme || system) === "dark" ? "light" : "dark";
  try {
    if (theme === system) {
      delete root.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      root.dataset.theme = theme;
      localStorage.setItem("theme", theme);
    }
  } catch {
    root.dataset.theme = theme;
  }
  announce(theme === "dark" ? "Dark theme" : "Light theme");
});
