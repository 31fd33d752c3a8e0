// The card of a new organisation moves by itself: the steps whose state changed
// are renewed. What did not change stays, so a key that is shown once is not
// lost. It rests while nobody looks.
{
  const card = document.querySelector("[data-start]");
  const complete = () => !card.querySelector("[data-step]:not(.lit)");
  const look = async () => {
    const answer = await fetch("/account", { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const step of fresh.querySelectorAll("[data-step]")) {
      const old = card.querySelector(`[data-step="${step.dataset.step}"]`);
      if (old.dataset.state === step.dataset.state) continue;
      const focused = old.contains(document.activeElement);
      old.replaceWith(step);
      if (focused) step.querySelector("h3").focus();
      if (step.matches(".lit")) announce(`${step.querySelector("h3").textContent}. ${step.querySelector("p").textContent}`);
    }
    return !complete();
  };
  const wait = () => setTimeout(async () => {
    if (document.hidden || (await look().catch(() => true))) wait();
  }, 2000);
  if (card && !complete()) wait();
}
