// callMock sends a call of the mock server of this origin, without cookies. Credentials
// take the place of their placeholders here, and are taken out of the answer again.
const callMock = async (call, entered, own) => {
  const typed = Object.entries(call.fields).map(([holder, name]) => [holder, entered(name) || holder]);
  const fill = (text, write = (one) => one) => typed.reduce((all, [holder, value]) => all.replaceAll(holder, () => write(value)), text);
  const hide = (text) => typed.reduce((all, [holder, value]) => (value !== holder && value.length > 3 ? all.replaceAll(value, "••••") : all), text);
  const utf8 = (text) => new TextEncoder().encode(text);
  const base64 = (data) => btoa(Array.from(data, (one) => String.fromCharCode(one)).join(""));
  const header = (value) => (value.startsWith("Basic <") ? `Basic ${base64(utf8(fill(value).slice(6)))}` : fill(value));

  const late = setTimeout(() => own.abort("timeout"), 10000);
  const answer = { status: "0", headers: "[]", body: "", failure: "" };
  const began = performance.now();
  try {
    let body;
    if (call.body) {
      body = Uint8Array.from(atob(call.body), (one) => one.charCodeAt(0));
      const text = new TextDecoder().decode(body);
      if (typed.some(([holder]) => text.includes(holder))) body = fill(text, call.json ? (one) => JSON.stringify(one).slice(1, -1) : undefined);
    }
    const { pathname, search } = new URL(fill(call.url, encodeURIComponent));
    const reply = await fetch(pathname + search, {
      method: call.method, headers: call.header.map(([name, value]) => [name, header(value)]), body,
      credentials: "omit", cache: "no-store", redirect: "manual", referrerPolicy: "no-referrer", signal: own.signal,
    });
    const data = new Uint8Array(await reply.arrayBuffer()).subarray(0, (1 << 20) + 1);
    answer.status = reply.status;
    answer.headers = hide(JSON.stringify([...reply.headers]));
    const text = new TextDecoder().decode(data);
    answer.body = base64(hide(text) === text ? data : utf8(hide(text)));
  } catch {
    answer.failure = own.signal.aborted ? own.signal.reason : "broken";
  }
  clearTimeout(late);
  answer.took = performance.now() - began;
  return answer;
};
