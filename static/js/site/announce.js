"use strict";

// announce tells a screen reader what just happened.
const announce = (text) => {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
};
