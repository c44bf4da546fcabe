// What a page can do better with a script. Everything works without it but for instant search and keys.
"use strict";
(() => {
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const cards = () => [...document.querySelectorAll("main article h3 a, main .card.item h3 a")];

  // What was just done is said once: a reload or a link to this page does not say it again.
  const forgetSaid = () => {
    const here = new URL(location.href);
    const said = ["done", "undo", "trouble", "gone"].filter((name) => here.searchParams.has(name));
    if (!said.length) return;
    for (const name of said) here.searchParams.delete(name);
    history.replaceState(history.state, "", here);
  };

  const move = (by) => {
    const all = cards();
    if (!all.length) return;
    const at = all.indexOf(document.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
    all[next].focus();
    all[next].closest("article, .card").scrollIntoView({ block: "nearest" });
  };

  const PLACES = { m: "/", q: "/questions", p: "/profile", t: "/time" };
  let going = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const search = document.querySelector("input[type=search]");
    if (going && PLACES[event.key]) location.assign(PLACES[event.key]);
    else if (event.key === "/" && search) search.focus();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "n" && document.querySelector("nav.places")) location.assign("/add");
    else if (event.key === "?") document.getElementById("shortcuts").showModal();
    else {
      going = event.key === "g";
      return;
    }
    going = false;
    event.preventDefault();
  });

  // Open menus close when something else is touched.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.choose[open], .rest > details[open]"))
      if (!menu.contains(event.target)) menu.removeAttribute("open");
  });

  // A form that changes a list sends itself when something in it is chosen.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-auto]");
    if (form) form.requestSubmit();
  });

  // Enter sends what is said; with Shift, and on a keyboard of glass, it begins a new line.
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.("textarea[data-enter]");
    if (!box || event.key !== "Enter" || event.shiftKey || event.isComposing || matchMedia("(pointer: coarse)").matches) return;
    event.preventDefault();
    if (box.value.trim()) box.form.requestSubmit();
  });

  // An address holds only what was chosen, not every field left empty.
  document.addEventListener("htmx:configRequest", (event) => {
    const { verb, formData } = event.detail;
    if (verb !== "get") return;
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });

  // What is shown once can be copied; where a browser does not let us, it is chosen, ready to be.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.querySelector("span").textContent = button.dataset.copied;
    } catch { /* it stays chosen */ }
  });

  // How much of a file is sent.
  document.addEventListener("htmx:xhr:progress", (event) => {
    const sent = event.target.closest?.("form[data-sends]")?.querySelector(".sent");
    if (!sent || !event.detail.lengthComputable || !event.detail.total) return;
    sent.hidden = false;
    const bar = sent.querySelector("progress");
    bar.value = Math.max(bar.value, (100 * event.detail.loaded) / event.detail.total); // the answer is counted anew
  });

  const showLatest = () => [...document.querySelectorAll("[data-latest]")].at(-1)?.scrollIntoView({ block: "nearest" });

  const ready = () => {
    document.documentElement.classList.add("script");
    forgetSaid();
    requestAnimationFrame(showLatest); // once the page was scrolled to its beginning
  };
  document.addEventListener("DOMContentLoaded", ready);
  document.addEventListener("htmx:afterSettle", ready);
})();
