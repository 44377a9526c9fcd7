// What is linked to is unfolded, and on paper everything is.
function unfold() {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name && document.getElementById(name);
  if (!target) return;
  for (let place = target; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", unfold);
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
unfold();
// For those who look from outside: the program has come to its end.
root.dataset.ready = "yes";
