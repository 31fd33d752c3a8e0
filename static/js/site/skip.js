// Parts of a long page that are far out of view are skipped when its styles change, once
// they have been laid out: before, the browser would not know how long the page is.
{
  const skip = ({ isIntersecting, target }) => isIntersecting || target.classList.add("skipped");
  const far = new IntersectionObserver((parts) => parts.forEach(skip), { rootMargin: "50%" });
  ready((root) => setTimeout(() => root.querySelectorAll(".reference-detail > *, #nav details").forEach((part) => far.observe(part)), 600));
}
