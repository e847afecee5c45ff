// Puts the page together, and what is not motion: the theme, copying, printing.

const live = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
let pending = null;

/** Says something to a screen reader, once things have come to rest. */
const announce = (text) => {
  clearTimeout(pending);
  pending = setTimeout(() => {
    live.textContent = text;
  }, 500);
};

const themeButton = (theme) => {
  const button = byId("theme");
  if (!button) return;
  const show = () => {
    const label = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" }[theme.choice];
    button.replaceChildren(icon(theme.choice));
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  button.addEventListener("click", () => {
    theme.next();
    show();
  });
  show();
};

/** Copies by the clipboard, or where a file may not use it, by a selection; true if it worked. */
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "unseen", readonly: true, "aria-label": "LaTeX" });
    area.value = text;
    document.body.append(area);
    area.focus({ preventScroll: true });
    area.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch { /* said below */ }
    area.remove();
    return done;
  }
};

const copyButton = () => {
  const button = byId("copy-latex");
  const source = byId("holonom-latex");
  if (!button || !source) return;
  const status = element("span", { class: "copy-status", role: "status" });
  button.after(status);
  let timer = null;
  button.addEventListener("click", async () => {
    const text = source.textContent.trim();
    const done = await copy(text);
    button.focus();
    clearTimeout(timer);
    status.textContent = done ? "Copied" : "The browser does not allow copying; the text is below";
    if (done) {
      timer = setTimeout(() => {
        status.textContent = "";
      }, 4000);
    } else if (!byId("latex-text")) {
      const area = element("textarea", { id: "latex-text", readonly: true, rows: "8", "aria-label": "LaTeX" });
      area.value = text;
      status.after(area);
      area.select();
    }
  });
};

/** Everything drawn, in the colours of paper, before the printer looks. */
const printing = (theme, parts) => {
  let on = false;
  const set = (next) => {
    if (next === on) return;
    on = next;
    theme.print(on);
    parts.animation?.draw();
    for (const plot of parts.plots) plot.draw(true);
  };
  window.addEventListener("beforeprint", () => set(true));
  window.addEventListener("afterprint", () => set(false));
  matchMedia("print").addEventListener("change", (event) => set(event.matches));
};

const start = async (theme, parts) => {
  const run = await Run.read();
  const clock = new Clock(run);
  const zoom = new Zoom(run);
  const context = { run, clock, zoom, theme, announce };
  Object.assign(parts, { run, clock, zoom });
  parts.animation = new Animation(context, byId("animation"));
  const plots = run.rows > 0 ? run.about.plots ?? [] : [];
  parts.plots = plots.filter((plot) => plot.y.length > 0).map((plot) => new Plot(context, plot));
  byId("plots").append(...parts.plots.map((plot) => plot.element));
  if (run.about.recorded > run.rows) {
    const [held, recorded] = [run.rows, run.about.recorded].map((rows) => rows.toLocaleString("en"));
    byId("plots").append(element("p", { class: "note" }, `This page holds ${held} of the ${recorded} rows recorded.`));
  }
  byId("motion").classList.toggle("beside", Boolean(parts.animation.scene && parts.plots.length > 0));
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
};

const parts = { plots: [] };
const theme = new Theme();
document.body.append(live);
themeButton(theme);
copyButton();
printing(theme, parts);

const ready = start(theme, parts).then(() => null, (error) => {
  byId("animation").replaceChildren(element("p", { class: "notice failed", role: "alert" },
    `The data of this report cannot be read: ${error.message}. The rest of the page does not need it.`));
  return error.message;
});

// What tests look at; nothing can be changed through it. `ready` resolves to null, or to what went wrong.
window.holonom = Object.freeze({
  ready,
  time: () => parts.clock?.time ?? null,
  playing: () => parts.clock?.playing ?? false,
  speed: () => parts.clock?.speed ?? null,
  cursor: () => parts.clock?.hover ?? parts.clock?.time ?? null,
  zoom: () => (parts.zoom ? [parts.zoom.low, parts.zoom.high] : null),
  view: () => parts.animation?.scene?.camera.state ?? null,
  frames: () => parts.animation?.frames ?? 0,
  points: () => {
    const scene = parts.animation?.scene;
    return scene ? scene.picture.points.map((_, index) => [...scene.pointAt(index, parts.run.locate(parts.clock.time))]) : null;
  },
  plots: () => parts.plots.map(({ about, scale, lines }) => (
    { id: about.id, drawn: Boolean(scale), lines: lines.filter((line) => line.on).length })),
  values: (name) => {
    const index = parts.run?.columns.findIndex((column) => column.name === name) ?? -1;
    return index < 0 ? null : [...parts.run.column(index)];
  },
});
