// The page reads without any of this: it adds a search, a filter, the theme and keys.
"use strict";
(() => {
  const findings = document.getElementById("findings");
  if (!findings) return;
  const articles = [...findings.querySelectorAll("article")];
  const bar = document.createElement("div");
  // One finding needs neither a search nor a filter.
  const several = articles.length > 1;
  bar.className = several ? "tools" : "tools alone";
  if (several) bar.setAttribute("role", "search");
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "Search by rule, file or words   ( / )";
  search.setAttribute("aria-label", "search the findings");
  if (several) bar.append(search);
  const boxes = ["error", "warning", "info"]
    .filter((it) => articles.some((article) => article.dataset.severity === it))
    .map((it) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      box.value = it;
      label.append(box, " " + it);
      if (several) bar.append(label);
      return box;
    });
  const shown = document.createElement("output");
  const theme = document.createElement("button");
  theme.type = "button";
  theme.textContent = "Light or dark";
  if (several) bar.append(shown);
  bar.append(theme);
  findings.before(bar);

  const choose = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = new Set(boxes.filter((it) => it.checked).map((it) => it.value));
    let number = 0;
    for (const article of articles) {
      const fits = kinds.has(article.dataset.severity) && words.every((it) => article.dataset.words.includes(it));
      article.hidden = !fits;
      number += fits;
    }
    shown.textContent = number + " of " + articles.length;
  };
  search.addEventListener("input", choose);
  for (const box of boxes) box.addEventListener("change", choose);
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search) {
      if (event.key === "Escape") search.blur();
      return;
    }
    if (event.key === "/" && several) {
      event.preventDefault();
      search.focus();
      return;
    }
    if (event.key !== "j" && event.key !== "k") return;
    const visible = articles.filter((it) => !it.hidden);
    const tops = visible.map((it) => it.getBoundingClientRect().top - 80);
    const next = event.key === "j" ? tops.findIndex((it) => it > 4) : tops.findLastIndex((it) => it < -4);
    if (next >= 0) visible[next].scrollIntoView();
  });
  // Step by step: what belongs to a step stands out in the picture, the story and the source, one after the other.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  for (const article of articles) {
    const steps = [...article.querySelectorAll(".story li")];
    const caption = article.querySelector("figcaption");
    if (!steps.length || !caption) continue;
    const play = document.createElement("button");
    play.type = "button";
    play.className = "play";
    play.textContent = "Step by step";
    const told = document.createElement("output");
    caption.prepend(play, told);
    let at = 0;
    let timer = 0;
    const drawing = article.querySelector(".drawing");
    // Where the picture is wider than the page, what is told comes into sight.
    const see = (number) => {
      const event = drawing.querySelector(`.cl-event[data-step="${number}"]`);
      if (!event || drawing.scrollWidth <= drawing.clientWidth) return;
      const left = event.getBoundingClientRect().left - drawing.getBoundingClientRect().left;
      drawing.scrollTo({ left: drawing.scrollLeft + left - 24, behavior: still.matches ? "instant" : "smooth" });
    };
    const light = (number, lit) => {
      for (const it of article.querySelectorAll(`[data-step="${number}"]`)) {
        if (lit) it.style.setProperty("--lit", "1");
        else it.style.removeProperty("--lit");
      }
    };
    const pause = () => {
      clearInterval(timer);
      timer = 0;
    };
    const next = () => {
      light(at, false);
      at = at < steps.length ? at + 1 : 0;
      light(at, true);
      see(at);
      told.textContent = at ? at + ": " + steps[at - 1].innerText.split("\n")[0] : "";
      play.textContent = at ? "Step " + at + " of " + steps.length : "Step by step";
      if (!at) pause();
    };
    play.addEventListener("click", () => {
      const plays = timer !== 0;
      pause();
      if (plays) return;
      next();
      if (at && !still.matches) timer = setInterval(next, 1800);
    });
  }
  choose();
})();
