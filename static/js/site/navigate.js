// One public page takes the place of another without loading anew: what the
// frame holds is swapped, the place in the navigation and every choice stay.
// Anything that is not such a page, or does not arrive, is left to the browser,
// as is everything in browsers that cannot be asked (no Navigation API).
{
  const pages = /^\/($|docs\/|productguide($|\/)|search$)(?!.*\.md$)/;
  const files = (doc) => [...doc.querySelectorAll("head script[src], head link[rel=stylesheet]")].map((e) => e.src || e.href);
  const fetched = new Map(); // by address and choices, a promise of the text

  const load = (url, signal) => {
    const key = url + document.cookie;
    const known = fetched.get(key);
    if (known) return known;
    const text = fetch(url, { signal, headers: { Accept: "text/html" } }).then((answer) => {
      if (!answer.headers.get("Content-Type")?.startsWith("text/html") || answer.redirected) throw new Error("not a page");
      return answer.text();
    });
    text.catch(() => fetched.delete(key));
    return text;
  };

  // A page that is pointed at is on its way before it is asked for.
  let pause;
  const expect = (event) => {
    clearTimeout(pause);
    const link = event.target.closest?.("#page a[href]");
    if (!link || link.origin !== location.origin || !pages.test(link.pathname) || link.pathname === "/search") return;
    const url = link.origin + link.pathname + link.search;
    if (url === location.origin + location.pathname + location.search || navigator.connection?.saveData) return;
    pause = setTimeout(() => {
      const key = url + document.cookie;
      if (fetched.has(key)) return;
      fetched.set(key, load(url));
      setTimeout(() => fetched.delete(key), 30_000);
    }, event.type === "touchstart" ? 0 : 80);
  };

  // place is what of the navigation a reader arranged.
  const place = () => {
    const drawer = document.getElementById("nav");
    return drawer && {
      label: drawer.querySelector("nav").ariaLabel,
      top: drawer.scrollTop,
      folds: [...drawer.querySelectorAll("nav > details")].map((fold) => fold.open),
    };
  };

  const show = (next, url, again) => {
    const before = place();
    document.title = next.title;
    document.body.className = next.body.className;
    for (const selector of ["link[rel=canonical]", "link[rel=alternate]", "meta[name=description]", "meta[name=robots]"]) {
      document.head.querySelector(selector)?.remove();
      const fresh = next.head.querySelector(selector);
      if (fresh) document.head.append(fresh);
    }
    document.getElementById("page").replaceWith(next.getElementById("page"));
    document.querySelector(".search-scope").replaceWith(next.querySelector(".search-scope"));
    document.querySelector("#search form").reset();
    const drawer = document.getElementById("nav");
    if (before && drawer?.querySelector("nav").ariaLabel === before.label) {
      drawer.querySelectorAll("nav > details").forEach((fold, i) => { fold.open ||= before.folds[i]; });
      drawer.scrollTop = before.top;
    }
    if (!again) scrollTo({ top: 0, behavior: "instant" }); // parts know where in the page an address leads
    for (const part of parts) part(document.getElementById("page"));
    const target = url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)));
    const focused = target || document.querySelector("main h1");
    if (!focused.matches("a[href], button, summary, input")) focused.tabIndex = -1;
    focused.focus({ preventScroll: true });
    announce(next.title);
  };

  const follow = async (url, signal, again) => {
    clearTimeout(pause);
    let next;
    try {
      next = new DOMParser().parseFromString(await load(url.origin + url.pathname + url.search, signal), "text/html");
    } catch {
      if (!signal.aborted) location.reload(); // the address is already there: the browser gets it, or says why not
      return;
    }
    if (signal.aborted) return;
    const here = files(document);
    if (next.getElementById("page") && files(next).every((file) => here.includes(file))) show(next, url, again);
    else location.reload();
  };

  if ("navigation" in window && !document.body.hasAttribute("hx-boost")) {
    navigation.addEventListener("navigate", (event) => {
      const url = new URL(event.destination.url);
      const foreign = !event.canIntercept || event.hashChange || event.downloadRequest !== null || event.formData
        || event.navigationType === "reload" || !pages.test(url.pathname) || !pages.test(location.pathname)
        || event.destination.sameDocument && event.navigationType !== "traverse";
      const again = event.navigationType === "traverse"; // the browser knows where the reader was
      if (!foreign) event.intercept({ focusReset: "manual", scroll: again ? "after-transition" : "manual", handler: () => follow(url, event.signal, again) });
    });
    for (const sign of ["pointerover", "focusin", "touchstart"]) document.addEventListener(sign, expect, { passive: true });
  }
}
