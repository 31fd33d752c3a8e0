// The form of a call. Credentials stay in the memory of this script: they are filled in
// where the next form has the same field, and are gone when the page is left.
{
  const secrets = new Map(); // by product and field
  const isSecret = ({ name }) => /^(secret|user)\./.test(name);
  const product = (form) => form.getAttribute("action").split("/").at(-3);
  const values = (form) => [...form.elements].filter((one) => one.name && !isSecret(one) && !["_csrf", "lang", "confirmed"].includes(one.name) && one.type !== "file");

  const prepare = (form) => {
    if (form.dataset.ready) return;
    form.dataset.ready = true;
    for (const one of form.elements) {
      if (isSecret(one)) one.value = secrets.get(`${product(form)} ${one.name}`) ?? "";
    }
    const ids = JSON.parse(document.getElementById("account-link")?.dataset.ids ?? "{}");
    for (const one of form.querySelectorAll("[data-own]")) if (ids[one.dataset.own]) one.value = ids[one.dataset.own];
    form.querySelectorAll("[data-json]").forEach(bodyForm);
    if (form.elements.direct) form.elements.direct.value = "1";
    restore(form);
    color(form);
    choose(form);
  };

  // choose shows the credentials of the chosen way to authenticate.
  const choose = (form) => {
    const way = form.elements.auth?.value ?? "0";
    for (const one of form.querySelectorAll("[data-ways]")) one.hidden = !one.dataset.ways.split(" ").includes(way);
  };

  // color marks forms that call real servers.
  const color = (form) => form.classList.toggle("mock", form.elements.server.value === "mock");

  // share puts parameters and body into a link. Its fragment never reaches a server.
  const share = async (form, button) => {
    const kept = values(form).filter((one) => one.type !== "checkbox" || one.checked).map((one) => [one.name, one.value]);
    const link = new URL(form.getAttribute("action"), location.href);
    link.hash = "call=" + encodeURIComponent(JSON.stringify({ release: form.dataset.release, names: form.dataset.names, values: kept }));
    await navigator.clipboard.writeText(link.href);
    announce("The link is copied. It holds parameters and body, and no credentials.");
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  };

  // restore fills the form from a shared link and says what has changed since.
  const restore = (form) => {
    const text = location.hash.startsWith("#call=") && decodeURIComponent(location.hash.slice(6));
    if (!text) return;
    const says = [];
    try {
      const { release, names, values: kept } = JSON.parse(text);
      const had = names.split(" "), has = form.dataset.names.split(" ");
      for (const name of had) if (name && !has.includes(name)) says.push(`The parameter ${name} is gone. Its value is left out.`);
      for (const name of has) if (name && !had.includes(name)) says.push(`The parameter ${name} is new.`);
      if (release !== form.dataset.release) says.unshift(`The contract was published again since the link was made (release ${release}, now ${form.dataset.release}).`);
      for (const one of values(form)) if (one.type === "checkbox") one.checked = kept.some(([name]) => name === one.name);
      for (const [name, value] of kept) {
        const one = form.elements[name];
        if (one && !isSecret({ name }) && one.type !== "checkbox" && one.type !== "hidden" && one.type !== "file") one.value = value;
      }
      form.querySelectorAll("[data-json] textarea").forEach((one) => one.dispatchEvent(new Event("input", { bubbles: true })));
    } catch { says.push("The link is not complete. The form shows the examples of the contract."); }
    const note = form.querySelector("[data-shared]");
    note.hidden = false;
    note.replaceChildren(...["Filled in from a shared link.", ...says].map((one) => Object.assign(document.createElement("p"), { className: "note", textContent: one })));
  };

  // A call of the mock server is sent from here; the answer goes to the portal, which
  // checks it.
  let running; // the call under way
  let cancels = false; // while a call is given up
  const isDirect = (form) => form.elements.server.value === "mock" && form.elements.direct?.value === "1";
  const direct = async (box) => {
    const form = document.getElementById("console-call");
    if (!form || box.dataset.started) return;
    box.dataset.started = true;
    running?.abort("cancelled");
    const own = running = new AbortController();
    const cancel = form.querySelector("[data-cancel]");
    cancel.hidden = false;
    const answer = await callMock(JSON.parse(box.dataset.call), (name) => form.elements[name]?.value.trim(), own);
    if (own !== running || !box.isConnected) return;
    cancel.hidden = true;
    for (const [name, value] of Object.entries(answer)) box.elements[`answer.${name}`].value = value;
    htmx.process(box); // a fast answer comes before htmx knows the box
    htmx.trigger(box, "arrived");
  };

  document.addEventListener("input", ({ target }) => {
    const form = target.closest?.("#console-call");
    if (!form) return;
    if (isSecret(target)) secrets.set(`${product(form)} ${target.name}`, target.value);
    // A value that somebody types is meant to be sent.
    const off = form.elements[`on.${target.name.replace(/^v\./, "")}`];
    if (target.matches("[data-value]") && off?.type === "checkbox") off.checked = true;
    if (target.name === "server") color(form);
    if (target.name === "auth") choose(form);
  });
  document.addEventListener("keydown", (event) => {
    const form = event.target.closest?.("#console-call");
    if (!form || event.key !== "Enter") return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("[data-send]"));
    } else if (event.target.matches("input:not([type=checkbox])")) event.preventDefault(); // Enter in a field does not send
  });
  document.addEventListener("click", ({ target }) => {
    const form = target.closest("#console-call");
    if (target.matches("[data-share]")) share(form, target);
    if (target.matches("[data-cancel]")) {
      cancels = true;
      htmx.trigger(form, "htmx:abort");
      cancels = false;
      running?.abort("cancelled");
    }
  });
  // Credentials of a call of the mock server do not go to the portal.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.id !== "console-call" || !isDirect(detail.elt)) return;
    for (const one of detail.elt.elements) if (isSecret(one)) detail.formData.delete(one.name);
  });
  for (const [sign, busy] of [["htmx:beforeRequest", true], ["htmx:afterRequest", false]]) {
    document.addEventListener(sign, ({ detail }) => {
      if (detail.elt.id !== "console-call") return;
      detail.elt.querySelector("[data-cancel]").hidden = !busy;
      if (cancels) announce("The call was cancelled."); // which needs no alert
    });
  }
  // What is wrong with a form is shown beside it, and the form keeps what was typed.
  ready(() => {
    document.querySelectorAll("#console-call").forEach(prepare);
    document.querySelectorAll("[data-call]").forEach(direct);
  });
}
