"use strict";

// announce tells a screen reader what just happened. While a dialog is open,
// nothing outside it is heard.
const announce = (text) => {
  const live = document.querySelector("dialog[open] [data-live]") ?? document.getElementById("live");
  if (live) live.textContent = text;
};

// ready runs a part on this page, and again on whatever is put into it.
const ready = (part) => {
  part(document);
  document.addEventListener("htmx:load", ({ target }) => target === document.body || part(target));
};

// afterPaint runs what takes a moment once the press that asked for it has been painted.
const afterPaint = (run) => requestAnimationFrame(() => setTimeout(run));

// keep stores a choice in a cookie for a year. Without a value it forgets it.
const keep = (name, value) => {
  document.cookie = `${name}=${value}; path=/; max-age=${value ? 31536000 : 0}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
};

// A part that needs a script of its own names it. It is loaded once.
ready(() => document.querySelectorAll("[data-script]").forEach(({ dataset: { script: src } }) => {
  if (!document.querySelector(`script[src="${src}"]`)) document.head.append(Object.assign(document.createElement("script"), { src }));
}));
