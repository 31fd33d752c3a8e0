// Samples, the list of what to replace in them, and the code of guides show the ids of
// the user's own organisation, which the link to the account carries. Only readers who
// are signed in load this. Nothing is added or taken away, so that the page does not
// move. The API key stays a placeholder.
ready(() => {
  const ids = JSON.parse(document.getElementById("account-link").dataset.ids ?? "{}");
  for (const mark of document.querySelectorAll("pre .p, .replace dt code")) {
    const own = ids[mark.textContent.slice(1, -1)];
    if (!own) continue;
    Object.assign(mark, { className: "own", textContent: own });
    mark.closest("dt")?.append(" is yours");
    mark.closest(".replace")?.firstElementChild.replaceChildren("Values of this call");
  }
});
