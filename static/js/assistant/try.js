// The setup page calls tools of the MCP server, as an assistant does. htmx sends the
// forms; this puts them into the form of the protocol and shows what comes back.
{
  let began, sent;

  // The endpoint that a search found first is the one to get next.
  const suggest = (found) => {
    const [, product, version, endpoint] = found?.uri?.match(/^docs:\/\/([^/]+)\/([^/]+)\/endpoints\/(.+)$/) ?? [];
    const to = document.querySelector("[data-tool=get_endpoint]").elements;
    if (endpoint) [to.product.value, to.version.value, to.endpoint_id.value] = [product, version, endpoint];
  };

  const show = (body, xhr) => {
    const took = Math.round(performance.now() - began);
    let text = body;
    let said = `${xhr.status} · ${took} ms`;
    try {
      const { result, error } = JSON.parse(body);
      text = error?.message ?? result.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");
      said += ` · ${text.length.toLocaleString("en")} characters`;
      suggest(result?.structuredContent?.results?.find((one) => one.kind === "endpoint"));
    } catch { /* not of the protocol: shown as it is */ }
    const blocks = document.getElementById("tool-answer").content.cloneNode(true);
    const [request, answer] = blocks.querySelectorAll("figure");
    request.querySelector("pre").textContent = sent;
    answer.querySelector("pre").textContent = text;
    answer.querySelector("figcaption span").textContent += ` · ${said}`;
    if (text.split("\n").length <= 25) {
      answer.classList.remove("long");
      answer.querySelector(".unfold").remove();
    }
    announce(`The answer has ${text.length} characters`);
    return [request, answer].map((block) => block.outerHTML).join("");
  };

  // Whatever the server says is an answer, such as too many calls.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.requestConfig?.elt.dataset.tool) return;
    event.stopPropagation();
    Object.assign(event.detail, { shouldSwap: true, isError: false, target: document.getElementById("tool-result"), swapOverride: "innerHTML" });
  }, true);

  htmx.defineExtension("mcp", {
    onEvent(name, { detail }) {
      if (name === "htmx:configRequest") Object.assign(detail.headers, { "Content-Type": "application/json", Accept: "application/json, text/event-stream" });
      return true;
    },
    encodeParameters(xhr, fields, form) {
      // The fields that are filled in are the arguments.
      const filled = [...fields].filter(([, value]) => value.trim());
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: form.dataset.tool, arguments: Object.fromEntries(filled) } };
      sent = JSON.stringify(message, null, 2);
      began = performance.now();
      return JSON.stringify(message);
    },
    transformResponse: show,
  });
}
