// The drawer is a popover and works by itself; script keeps the focus inside while
// it is open, closes it with the page, and shows the current page in the list.
const drawer = document.getElementById("nav");
const showCurrent = () => drawer.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
drawer && ready((root) => {
  if (root !== document && root.id !== "navigation") return;
  drawer.hidePopover();
  showCurrent();
});
drawer?.addEventListener("toggle", ({ newState }) => { showCurrent(); if (newState === "open") drawer.querySelector(".nav-close").focus(); });
// Before it closes, so that the button that opened it can have the focus back.
drawer?.addEventListener("beforetoggle", ({ newState }) => {
  for (const part of document.querySelectorAll("main, .site-header, .site-footer, .skip")) part.inert = newState === "open";
});
// A window made wide shows the navigation anyway, so nothing may stay inert.
matchMedia("(min-width: 64rem)").addEventListener("change", () => drawer?.hidePopover());
