// Samples show the ids of the user's own organisation, which the link to the account
// carries. The API key stays a placeholder.
ready(() => {
  const ids = JSON.parse(document.getElementById("account-link")?.dataset.ids ?? "{}");
  const own = (mark) => ids[mark.textContent.slice(1, -1)];
  for (const mark of document.querySelectorAll("#calls pre .p")) {
    if (own(mark)) mark.textContent = own(mark);
  }
  for (const name of document.querySelectorAll("#calls .replace dt")) {
    if (!own(name)) continue;
    const list = name.closest("details");
    name.nextElementSibling.remove();
    name.remove();
    const left = list.querySelectorAll("dt").length;
    list.hidden = !left;
    list.querySelector("summary").textContent = `Replace ${left} ${left === 1 ? "value" : "values"}; the ids are yours`;
  }
});
