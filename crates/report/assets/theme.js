// Colours live in the style sheet. Canvases cannot use its variables, so they are read from it, again after each change of theme.

const NAMED = ["black", "gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "white"];
const SERIES = 8;
const STORE = "holonom-theme";

class Theme {
  constructor() {
    this.listeners = [];
    this.choice = "auto";
    // Storage may be blocked, and is for files in some browsers.
    try {
      const kept = localStorage.getItem(STORE);
      if (kept === "light" || kept === "dark") this.choice = kept;
    } catch { /* the choice then lasts as long as the page */ }
    this.apply();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh());
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  apply() {
    if (this.choice === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.choice;
    this.refresh();
  }

  next() {
    this.choice = { auto: "light", light: "dark", dark: "auto" }[this.choice];
    try {
      if (this.choice === "auto") localStorage.removeItem(STORE);
      else localStorage.setItem(STORE, this.choice);
    } catch { /* as above */ }
    this.apply();
  }

  /** On paper everything is light, whatever the screen shows. */
  print(on) {
    document.documentElement.toggleAttribute("data-print", on);
    this.refresh();
  }

  refresh() {
    const probe = element("span", { hidden: true });
    document.body.append(probe);
    const read = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    for (const name of ["ink", "faint", "line", "grid", "paper", "panel", "accent", "mark"]) this[name] = read(name);
    this.named = Object.fromEntries(NAMED.map((name) => [name, read(`c-${name}`)]));
    this.series = Array.from({ length: SERIES }, (_, k) => read(`s-${k + 1}`));
    this.font = getComputedStyle(document.documentElement).getPropertyValue("--sans").trim() || "sans-serif";
    probe.remove();
    for (const listener of this.listeners) listener();
  }

  /** The colour a shape asks for: a name that follows the theme, or `#rrggbb`; else `otherwise`. */
  color(name, otherwise) {
    if (typeof name !== "string") return otherwise;
    return this.named[name] ?? (/^#[0-9a-f]{6}$/i.test(name) ? name : otherwise);
  }

  /** `color` thinned with the paper: opaque, so that what lies behind is covered. */
  tint(color, amount) {
    const [a, b] = [parseColor(color), parseColor(this.panel)];
    return `rgb(${a.map((v, k) => Math.round(v * amount + b[k] * (1 - amount))).join(" ")})`;
  }
}

const parseColor = (text) => {
  if (text.startsWith("#")) return [1, 3, 5].map((k) => Number.parseInt(text.slice(k, k + 2), 16));
  return (text.match(/[\d.]+/g) ?? [0, 0, 0]).slice(0, 3).map(Number);
};

/** `color` with an opacity. */
const faded = (color, alpha) => `rgb(${parseColor(color).join(" ")} / ${alpha})`;

const isPrinting = () => document.documentElement.hasAttribute("data-print");

/** Makes a canvas as sharp as the screen is, and hands out its context in units of CSS pixels. */
const prepare = (canvas, width, height) => {
  const print = isPrinting();
  const ratio = print ? 3 : Math.min(window.devicePixelRatio || 1, 4);
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  const context = canvas.getContext("2d");
  // A new size clears. On paper some browsers replay what was drawn, and a cleared rectangle would wipe out what lies below.
  if (print || canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!print) context.clearRect(0, 0, width, height);
  return context;
};
