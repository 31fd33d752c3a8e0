// Links of public pages are given to htmx when they are pointed at, in focus or pressed.
// A page can have a thousand, and to prepare all of them takes longer than to show it.
if (document.body.matches("[data-boost]")) {
  const prepare = ({ target }) => {
    const link = target.closest?.("a[href]:not([hx-boost], [hx-get])");
    if (!link) return;
    if (!link.closest("[preload]")) link.setAttribute("preload", "mouseover");
    link.setAttribute("hx-boost", "true");
    htmx.process(link);
  };
  for (const sign of ["pointerover", "focusin", "click"]) document.addEventListener(sign, prepare, true);
}
