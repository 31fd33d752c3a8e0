// The field for the text becomes a code editor. A textarea does without it.
const simulator = () => document.getElementById("simulator");

// asLink writes the text into a fragment, which never reaches a server.
const asLink = (text) => {
  const bytes = new TextEncoder().encode(text);
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return code.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};
const fromLink = (code) => {
  const bytes = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
};

ready((root) => {
  const form = root.querySelector("#simulator");
  if (!form) return;
  if (location.hash.startsWith("#text=") && !form.dataset.linked) {
    form.dataset.linked = "true";
    try {
      const field = form.elements.text;
      field.value = fromLink(location.hash.slice(6));
      if (form.elements.operation) form.elements.operation.value = new URLSearchParams(location.search).get("operation") ?? form.elements.operation.value;
      setTimeout(() => field.dispatchEvent(new Event("input", { bubbles: true })));
    } catch { /* a link that was cut shows the example */ }
  }
  import(form.dataset.editor).catch(() => {});
});

document.addEventListener("click", async ({ target }) => {
  if (!target.matches?.("[data-share-text]")) return;
  const { elements } = simulator();
  const address = new URL(simulator().action);
  if (elements.operation) address.searchParams.set("operation", elements.operation.value);
  address.hash = `text=${asLink(elements.text.value)}`;
  try {
    await navigator.clipboard.writeText(address.href);
    target.textContent = "Link copied";
  } catch { location.hash = address.hash; }
});
