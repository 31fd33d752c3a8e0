"use strict";

// announce tells a screen reader what just happened. While a dialog is open,
// nothing outside it is heard.
const announce = (text) => {
  const live = document.querySelector("dialog:modal [data-live]") ?? document.getElementById("live");
  if (live) live.textContent = text;
};

// ready runs a part on this page, and again on whatever is put into it.
const parts = [];
const ready = (part) => {
  parts.push(part);
  part(document);
};
document.addEventListener("htmx:load", (event) => {
  if (event.target !== document.body) parts.forEach((part) => part(event.target));
});
