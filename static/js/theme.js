// Runs before the first paint, so that the theme chosen never flashes. An address
// with ?theme= goes first, for itself alone.
document.documentElement.classList.add("js");
{
  const theme = new URLSearchParams(location.search).get("theme") || document.cookie.match(/(?:^|; )theme=(\w+)/)?.[1];
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
