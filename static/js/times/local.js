// Times are shown in the reader's time zone. The server writes them in UTC, which stays
// as the title. Fields for a time are filled in, and sent in UTC all the same. Pauses
// count down.
ready((root) => {
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const two = (n) => String(n).padStart(2, "0");
  const zone = (at) => {
    const off = -at.getTimezoneOffset();
    return `UTC${off < 0 ? "−" : "+"}${Math.trunc(Math.abs(off) / 60)}${off % 60 ? `:${two(Math.abs(off) % 60)}` : ""}`;
  };
  const clock = (at, seconds) => [at.getHours(), at.getMinutes(), ...(seconds ? [at.getSeconds()] : [])].map(two).join(":");
  const write = (at, seconds, year) => `${at.getDate()} ${months[at.getMonth()]}${year ? ` ${at.getFullYear()}` : ""}, ${clock(at, seconds)}`;
  const inUTC = !new Date().getTimezoneOffset() && !new Date(2026, 6).getTimezoneOffset();
  const all = (selector) => [...(root.matches?.(selector) ? [root] : []), ...root.querySelectorAll(selector)];
  const mark = (time, at, text) => {
    time.title = [`${time.textContent.replace(/ UTC$/, "")} UTC`, time.parentElement?.title].filter(Boolean).join(", ");
    Object.assign(time, { textContent: text });
    time.dataset.local = "";
  };

  if (!inUTC) {
    for (const time of all("time[datetime*=T]:not([data-local])")) {
      const at = new Date(time.dateTime);
      const shape = /^\d+ [A-Z][a-z]+( \d{4})?, \d\d:\d\d(:\d\d)?( UTC)?$/.exec(time.textContent);
      if (!shape || Number.isNaN(+at)) continue;
      mark(time, at, write(at, shape[2], shape[1]) + (shape[3] ? ` ${zone(at)}` : ""));
      // The head of the column, or the name of the fact, says the zone.
      const cell = time.closest("td, dd");
      const heads = cell?.tagName === "TD" ? [cell.closest("table").tHead?.rows[0].cells[cell.cellIndex]] : [cell?.previousElementSibling];
      for (const node of heads.flatMap((head) => [...(head?.querySelector("a") ?? head)?.childNodes ?? []])) {
        if (node.nodeType === 3) node.data = node.data.replace("(UTC)", `(${zone(at)})`);
      }
      if (cell?.dataset.label) cell.dataset.label = cell.dataset.label.replace("(UTC)", `(${zone(at)})`);
    }
    // A sentence says its zone with each time.
    const texts = document.createTreeWalker(root === document ? document.body : root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) if (/\d:\d\d UTC/.test(texts.currentNode.data)) found.push(texts.currentNode);
    for (const text of found) {
      if (text.parentElement.closest("pre, code, script, textarea, time, title, [data-local]")) continue;
      const parts = text.data.split(/(\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d(?::\d\d)? UTC)/);
      text.replaceWith(...parts.map((part, i) => {
        const at = new Date(part.replace(",", ""));
        if (i % 2 === 0 || Number.isNaN(+at)) return part;
        const time = Object.assign(document.createElement("time"), { textContent: part, dateTime: at.toISOString() });
        mark(time, at, `${write(at, /:\d\d:/.test(part), true)} ${zone(at)}`);
        return time;
      }));
    }
    for (const field of all("input[type=datetime-local][name]")) {
      const label = [...field.labels ?? []].flatMap((l) => [...l.childNodes]).find((n) => n.nodeType === 3 && n.data.includes("(UTC)"));
      if (!label) continue;
      const sent = Object.assign(document.createElement("input"), { type: "hidden", name: field.name, value: field.value });
      const local = (at) => new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
      if (field.value) field.value = field.defaultValue = local(new Date(`${field.value}Z`));
      label.data = label.data.replace("(UTC)", `(${zone(field.value ? new Date(field.value) : new Date())})`);
      field.removeAttribute("name");
      field.dataset.local = "";
      field.after(sent);
    }
  }

  for (const time of all("time[data-wait]")) {
    const end = performance.now() + time.dataset.wait * 1000;
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      time.textContent = left < 60 ? `${left} s` : `${Math.trunc(left / 60)}:${two(left % 60)} min`;
      if (left && time.isConnected) setTimeout(tick, 1000 - (performance.now() % 1000) / 2);
    };
    tick();
  }
});
document.addEventListener("input", ({ target }) => {
  if (!target.matches("input[data-local]")) return;
  const at = new Date(target.value);
  target.nextElementSibling.value = Number.isNaN(+at) ? "" : at.toISOString().slice(0, 16);
});
