// Forms with files show how much has arrived, and take files that are dropped on
// their field. They work without it.
{
  document.addEventListener("htmx:xhr:progress", (event) => {
    const form = event.target.closest?.("[data-upload]");
    if (!form || !event.detail.lengthComputable) return;
    const percent = Math.floor((event.detail.loaded / event.detail.total) * 100);
    const part = form.querySelector(".media-progress");
    part.hidden = false;
    part.querySelector("progress").value = percent;
    part.querySelector("[data-percent]").textContent = `${percent} %`;
  });
  const dropping = (event) => event.target.closest?.(".media-drop");
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      const zone = dropping(event);
      if (!zone || !event.dataTransfer?.types.includes("Files")) return;
      zone.classList.toggle("over", name === "dragover");
      if (name === "dragleave") return;
      event.preventDefault();
      const field = zone.querySelector("input[type=file]");
      if (name !== "drop") return;
      field.files = event.dataTransfer.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
}
