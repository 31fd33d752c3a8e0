// Parts whose rows can be dragged name the module for it, which is loaded for them.
// Their buttons do without it.
const arrange = (part) => import(part.dataset.arrange).then((module) => module.arrange(part), () => {});
ready((root) => root.querySelectorAll("[data-arrange]").forEach(arrange));
