// The contact form asks a browser for a proof of work: a number whose SHA-256
// after the form's stamp starts with enough zero bits. It is computed when the form
// is sent. Without this script the sender confirms the enquiry by email.
{
  const encoder = new TextEncoder();
  const zeros = (bytes) => {
    let n = 0;
    for (const b of bytes) {
      if (b) return n + Math.clz32(b) - 24;
      n += 8;
    }
    return n;
  };
  const solve = async (stamp, bits) => {
    for (let n = 0; ; n++) {
      const sum = await crypto.subtle.digest("SHA-256", encoder.encode(`${stamp}:${n}`));
      if (zeros(new Uint8Array(sum)) >= bits) return n;
      if (n % 500 === 499) await new Promise((later) => setTimeout(later));
    }
  };
  document.addEventListener("htmx:confirm", async (event) => {
    const form = event.target;
    if (!form.dataset?.work || !crypto.subtle) return;
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = "true";
    form.querySelector("[data-work-note]").hidden = false;
    form.elements.proof.value = await solve(form.elements.stamp.value, Number(form.dataset.work));
    form.ariaBusy = null;
    event.detail.issueRequest();
  });
}
