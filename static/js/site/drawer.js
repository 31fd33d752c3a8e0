// The drawer is a popover and works by itself; script keeps the focus inside while
// it is open, closes it with the page, and shows the current page in the list.
{
  const drawer = document.getElementById("nav");
  const show = () => {
    const current = drawer.querySelector("[aria-current=page]");
    const at = current?.getBoundingClientRect().top - drawer.getBoundingClientRect().top;
    if (at < 0 || at > drawer.clientHeight - 80) drawer.scrollTop += at - drawer.clientHeight / 2;
  };
  const close = () => { if (drawer.matches(":popover-open")) drawer.hidePopover(); };
  const confine = (on) => document.querySelectorAll("main, .site-header, .site-footer, .skip").forEach((part) => { part.inert = on; });
  if (drawer) ready((root) => {
    if (root !== document && root.id !== "navigation") return;
    close();
    show();
  });
  drawer?.addEventListener("toggle", (event) => {
    if (event.newState !== "open") return;
    confine(true);
    show();
    drawer.querySelector(".nav-close").focus();
  });
  // Before it closes, so that the button that opened it can have the focus back.
  drawer?.addEventListener("beforetoggle", (event) => { if (event.newState === "closed") confine(false); });
  // A window made wide shows the navigation anyway, so nothing may stay inert.
  matchMedia("(min-width: 64rem)").addEventListener("change", () => drawer && close());
}
