// What a page can do better with a script. Everything works without it but for instant search and keys.
"use strict";
(() => {
  const LISTS = ".hits, .outcomes, .traits, .insights, .changes > ul, .people, .lines, .taken-back";
  const MENUS = "details.choose, details.asking, details.filters";
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const rows = () => [...document.querySelectorAll(`main article:not(.read-page > *), main :is(${LISTS}) > li:not(#more)`)];

  // Where a row is entered: by the link in its heading, else by whatever there is to press.
  const enter = (row, options) => {
    const way = row.querySelector("h2 a, h3 a, h4 a") ?? row.querySelector("a[href], button, summary") ?? row;
    if (way === row) row.tabIndex = -1;
    way.focus(options);
  };

  // What was just done is said once: a reload or a link to this page does not say it again.
  const forgetSaid = () => {
    const here = new URL(location.href);
    const said = ["done", "undo", "trouble"].filter((name) => here.searchParams.has(name));
    if (!said.length) return;
    for (const name of said) here.searchParams.delete(name);
    history.replaceState(history.state, "", here);
  };

  const move = (by) => {
    const all = rows();
    if (!all.length) return;
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
    enter(all[next], { preventScroll: true });
    all[next].scrollIntoView({ block: "nearest" });
  };

  const closeMenu = () => {
    const open = [...document.querySelectorAll(MENUS)].filter((menu) => menu.open);
    const menu = open.find((one) => one.contains(document.activeElement)) ?? open.find((one) => !one.matches(".filters"));
    if (!menu) return false;
    menu.open = false;
    menu.querySelector("summary").focus();
    return true;
  };

  // Where a page has nothing to search in, the memory has.
  const search = () => {
    const field = document.querySelector("main input[type=search]");
    if (field) field.focus();
    else if (document.querySelector("nav.places")) location.assign("/#q");
  };

  const PLACES = { m: "/", q: "/questions", p: "/profile", h: "/history", t: "/talk" };
  let going = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || (event.key === "Escape" && closeMenu())) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const adding = document.querySelector("nav.places[data-add]");
    if (going && PLACES[event.key]) location.assign(PLACES[event.key]);
    else if (event.key === "/") search();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "n" && adding) location.assign(adding.dataset.add);
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
    for (const menu of document.querySelectorAll("details.choose[open]"))
      if (!menu.contains(event.target)) menu.open = false;
  });

  // A form that changes a list sends itself when something in it is chosen; what is typed was sent while typing.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-auto]");
    if (form && event.target.type !== "search") form.requestSubmit();
  });

  // Enter sends what is said; with Shift, and on a keyboard of glass, it begins a new line.
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.("textarea[data-enter]");
    if (!box || event.key !== "Enter" || event.shiftKey || event.isComposing || matchMedia("(pointer: coarse)").matches) return;
    event.preventDefault();
    if (box.value.trim()) box.form.requestSubmit();
  });

  // What is typed while an answer is on its way stays, and is sent after it if that was wished for meanwhile.
  const SAY = "form.say";
  let onWay = null; // what was sent, and the field it was typed in
  let typedSince = null;
  document.addEventListener("submit", (event) => {
    if (!event.target.matches(`${SAY}.htmx-request`)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.target.said.value.trim()) event.target.dataset.next = "yes";
  }, true);
  document.addEventListener("htmx:beforeSend", ({ target }) => {
    if (!target.matches?.(SAY)) return;
    onWay = { form: target, text: target.said.value, shown: document.createElement("p") };
    onWay.shown.className = "bubble sent";
    onWay.shown.textContent = onWay.text;
    document.getElementById("talk")?.append(onWay.shown);
    onWay.shown.scrollIntoView({ block: "nearest" });
    target.said.value = "";
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const form = onWay?.form;
    if (!form || detail.requestConfig.elt !== form) return;
    onWay.shown.remove();
    if (typedSince === null && form.isConnected) form.said.value = [onWay.text, form.said.value].filter(Boolean).join("\n");
    onWay = null;
  });
  const typeOn = () => {
    const form = typedSince && document.querySelector(SAY);
    if (form && typedSince.text) {
      form.said.value = [form.said.value, typedSince.text].filter(Boolean).join("\n");
      form.said.focus({ preventScroll: true });
      if (typedSince.next) form.requestSubmit();
    }
    typedSince = null;
  };

  // An address holds only what was chosen, not every field left empty. A form comes back to the list as it is by now.
  document.addEventListener("htmx:configRequest", (event) => {
    const { verb, formData } = event.detail;
    if (verb === "get") for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
    if (formData.get("back")?.split("?")[0] === location.pathname) formData.set("back", location.pathname + location.search);
  });

  // ── what is asked for, and what comes of it ──
  const pathOf = (address) => new URL(address, location.href).pathname;
  const again = new WeakMap();
  document.addEventListener("htmx:confirm", ({ detail }) => again.set(detail.elt, detail.issueRequest));

  let asked = null; // who did not get an answer
  const hush = () => document.querySelector(".toast.kept")?.remove();

  // Say what went wrong: in the words of the answer, else in ours. What is on the page stays, and may be sent again.
  const say = (kind, asker, said) => {
    const toast = document.getElementById("wrong-toast").content.firstElementChild.cloneNode(true);
    toast.querySelector("span").textContent = said ?? toast.dataset[kind];
    toast.querySelector(kind === "out" ? "button" : "a").remove();
    toast.querySelector("button")?.addEventListener("click", () => again.get(asked)?.(true));
    const shown = document.querySelector(".toast.kept");
    asked = asker;
    if (shown?.textContent === toast.textContent) return; // said already, and heard
    hush();
    document.querySelector(".toasts").append(toast);
  };
  for (const name of ["htmx:sendError", "htmx:timeout"])
    document.addEventListener(name, ({ detail }) => say("offline", detail.requestConfig.elt));

  // An answer without the piece that was asked for never empties a page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, boosted, requestConfig } = event.detail;
    const { elt, verb } = requestConfig;
    const there = new URL(xhr.responseURL || location.href);
    const select = boosted ? "#content" : elt.closest("[hx-select]")?.getAttribute("hx-select") ?? "";
    const has = (id) => xhr.responseText.includes(`id="${id}"`);
    const isThere = !select || has(select.match(/#([\w-]+)/)[1]);
    const isOut = there.pathname === "/enter" && location.pathname !== "/enter" && !there.searchParams.has("done");
    const isPolled = elt.getAttribute("hx-trigger")?.startsWith("every");
    const keep = (kind) => {
      event.preventDefault();
      const answer = new DOMParser().parseFromString(xhr.responseText, "text/html");
      say(kind, elt, kind === "failed" ? answer.querySelector("main .trouble span")?.textContent : undefined);
    };
    if (isOut && (verb === "post" || elt.matches("textarea"))) keep("out");
    else if (xhr.status === 429 || xhr.status >= 500 || (verb === "post" && has("only-trouble"))) keep("failed");
    else if (!isThere && !boosted && (xhr.status < 400 || isPolled)) {
      event.preventDefault();
      location.assign(elt.closest(".more") ? location.href : there);
    } else if (!isThere) keep("failed");
    else {
      if (elt.contains(asked)) hush();
      if (onWay?.form === elt) typedSince = { text: elt.said.value, next: elt.dataset.next };
      const stays = boosted && verb === "post" && xhr.status < 400 && there.pathname === location.pathname;
      if (stays) event.detail.swapOverride = "innerHTML show:none"; // what was done here leaves the reader here
    }
  });

  // Something done on a page is no new place to go back to, nor is the page that says why it was not done.
  document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
    const { history: step, requestConfig, xhr } = detail;
    const isDone = requestConfig.verb === "post" && (xhr.status >= 400 || pathOf(step.path) === location.pathname);
    if (isDone || step.path === location.pathname + location.search) step.type = "replace";
    if (isDone && xhr.status >= 400) step.path = location.pathname + location.search;
    if (step.type === "push") keepPlace();
  });

  // ── where the reader is ──
  history.scrollRestoration = "manual"; // what is left is shorter or longer than what comes back, so each step knows its own
  let leaves = false;
  const keepPlace = () => {
    if (!leaves) history.replaceState({ ...history.state, at: scrollY }, "");
  };
  document.addEventListener("scrollend", keepPlace);
  addEventListener("pagehide", keepPlace);
  const goBack = ({ state }) => {
    leaves = Boolean(state?.htmx); // the page is being loaded, and this step is no longer of what is shown
    if (leaves) history.replaceState(state, "");
    else if (state?.at !== undefined) scrollTo(0, state.at);
  };

  // A search would take away the link that was clicked, and with it the address of what comes: none goes on beside it.
  let leading = null; // what was clicked, until its answer is there
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { boosted, elt } = event.detail;
    if (boosted) {
      leading = elt;
      for (const form of document.querySelectorAll("form[hx-sync]")) htmx.trigger(form, "htmx:abort");
    } else if (leading && elt.closest("form[hx-sync]")) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.elt === leading) leading = null;
  });

  let acted = []; // ids of rows: where something was pressed, those under it, those above it
  let above = null; // the last row before more is shown
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const { elt, verb, triggeringEvent } = detail.requestConfig;
    const pressed = triggeringEvent?.submitter?.closest("main article, main li");
    const all = rows();
    const at = all.indexOf(pressed);
    if (at >= 0) acted = [...all.slice(at), ...all.slice(0, at).reverse()].map((row) => row.id).filter(Boolean);
    else if (verb === "get" && detail.boosted) acted = [];
    const isAbove = (row) => row.compareDocumentPosition(elt) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (elt.closest(".more")) above = all.findLast(isAbove);
  });

  // Whoever reads by keyboard or ear goes on where something happened: at the row, its neighbour, or the new page's title.
  const focus = ({ detail }) => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const all = rows();
    const next = above?.isConnected ? all[all.indexOf(above) + 1] : null;
    above = null;
    if (next) return enter(next, { preventScroll: true });
    if (!detail.boosted) return; // what is looked up by itself takes the focus from nobody
    const row = acted.map((id) => document.getElementById(id)).find(Boolean);
    if (row) return enter(row, { preventScroll: true });
    const title = document.querySelector("main h1") ?? document.querySelector("main");
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  };

  // What is shown once can be copied; where a browser does not let us, it is chosen, ready to be.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.querySelector("span").textContent = button.dataset.copied;
    } catch {
      button.querySelector("span").textContent = button.dataset.chosen;
    }
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
  document.addEventListener("DOMContentLoaded", () => {
    addEventListener("popstate", goBack); // after what htmx does then
    ready();
    if (history.state?.at !== undefined) scrollTo(0, history.state.at);
    if (location.hash !== "#q") return;
    history.replaceState(history.state, "", location.pathname + location.search);
    document.getElementById("q")?.focus();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    ready();
    typeOn();
    focus(event);
  });
})();
