// Parts whose rows can be dragged name the module for it, which is loaded for them.
ready((root) => root.querySelectorAll("[data-arrange]").forEach((part) => import(part.dataset.arrange).then(({ arrange }) => arrange(part), () => {}))); // buttons do without it
