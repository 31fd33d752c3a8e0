// The toggle flips what is seen. Choosing what the system shows anyway means
// following the system again.
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-toggle]")) return;
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = (root.dataset.theme || system) === "dark" ? "light" : "dark";
  const follows = theme === system;
  if (follows) delete root.dataset.theme;
  else root.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=${follows ? 0 : 31536000}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  announce(theme === "dark" ? "Dark theme" : "Light theme");
});
