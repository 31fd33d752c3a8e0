// The drawer is a popover and works by itself; script keeps the focus inside while
// it is open, closes it with the page, and shows the current page in the list.
const drawer = document.getElementById("nav");
if (drawer) {
  const show = () => drawer.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  ready((root) => {
    if (root !== document && root.id !== "navigation") return;
    drawer.hidePopover();
    show();
  });
  drawer.addEventListener("toggle", ({ newState }) => {
    show();
    if (newState === "open") drawer.querySelector(".nav-close").focus();
  });
  // Before it closes, so that the button that opened it can have the focus back.
  drawer.addEventListener("beforetoggle", ({ newState }) => {
    for (const part of document.querySelectorAll("main, .site-header, .site-footer, .skip")) part.inert = newState === "open";
  });
  // A window made wide shows the navigation anyway, so nothing may stay inert.
  matchMedia("(min-width: 64rem)").addEventListener("change", () => drawer.hidePopover());
}
