// The film: a canvas with the picture, and below it play, steps, speed, repeat and the slider of time.

const ICONS = {
  play: "M5 3.2v13.6L16.5 10z",
  pause: "M5 3h3.6v14H5zM11.4 3H15v14h-3.6z",
  back: "M14.5 3.5v13L6.5 10zM4.5 3.5h2v13h-2z",
  forward: "M5.5 3.5v13l8-6.5zM13.5 3.5h2v13h-2z",
  auto: "M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 2v12a6 6 0 0 1 0-12z",
  light: "M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM9 1h2v3H9zM9 16h2v3H9zM1 9h3v2H1zM16 9h3v2h-3zM3 4.4 4.4 3l2.1 2.1-1.4 1.4z"
    + "M13.5 14.9l1.4-1.4L17 15.6 15.6 17zM15.6 3 17 4.4l-2.1 2.1-1.4-1.4zM5.1 13.5l1.4 1.4L4.4 17 3 15.6z",
  dark: "M8 2a8 8 0 1 0 10 10A7 7 0 0 1 8 2z",
  loop: "M10 3a7 7 0 0 1 6.7 5h-2.1A5 5 0 0 0 5.6 7.6H8v1.9H2.4V3.9h1.9v2A7 7 0 0 1 10 3z"
    + "m0 14a7 7 0 0 1-6.7-5h2.1a5 5 0 0 0 9 .4H12v-1.9h5.6v5.6h-1.9v-2A7 7 0 0 1 10 17z",
  larger: "M9 4h2v5h5v2h-5v5H9v-5H4V9h5z",
  smaller: "M4 9h12v2H4z",
  fit: "M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
};

const icon = (name) => {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
};

const iconButton = (name, label, action, attributes = {}) => {
  const named = { type: "button", class: "icon", "aria-label": label, title: label, ...attributes };
  const button = element("button", named, icon(name));
  button.addEventListener("click", action);
  return button;
};

const SLIDER_STEPS = 10000;

class Animation {
  constructor({ run, clock, theme, announce }, root) {
    Object.assign(this, { run, clock, theme, announce, root });
    this.frames = 0;
    this.scene = run.about.picture && run.rows > 0 ? new Scene(run, run.about.picture) : null;
    this.ask = onceAFrame(() => this.draw());
    root.append(this.scene ? this.buildStage() : this.buildNotice());
    if (run.rows > 0) root.append(this.buildControls());
    clock.listen((change) => this.follow(change));
    theme.listen(() => {
      this.background = null;
      this.drawMarks();
      this.ask();
    });
    this.follow("all");
  }

  buildNotice() {
    if (this.run.rows === 0) return element("p", { class: "notice" }, "The run recorded no rows: there is nothing to show.");
    return element("p", { class: "notice" }, "This model has no picture. Add ", element("code", {}, "draw"),
      " statements to it, such as ", element("code", {}, "draw point (x, y)"), "; the guide lists them.");
  }

  // ---- the stage

  buildStage() {
    this.canvas = element("canvas", { role: "img" });
    this.layer = document.createElement("canvas");
    const { scene } = this;
    const help = "Animation. Space plays and pauses, arrow keys step, "
      + `shift with arrow keys ${scene.flat ? "moves" : "turns"} the picture, plus and minus zoom, 0 shows all.`;
    this.stage = element("div", { class: "stage", tabindex: "0", role: "group", "aria-label": help },
      this.canvas,
      element("div", { class: "corner" },
        iconButton("larger", "Zoom in", () => this.view(() => scene.camera.zoom(1.4))),
        iconButton("smaller", "Zoom out", () => this.view(() => scene.camera.zoom(1 / 1.4))),
        iconButton("fit", "Show all", () => this.view(() => scene.camera.reset()))));
    this.stage.style.setProperty("--ratio", scene.camera.ratio.toFixed(3));
    this.listenToStage();
    new ResizeObserver(() => {
      this.background = null;
      this.ask();
    }).observe(this.stage);
    return this.stage;
  }

  /** A change of the view, then a new picture. */
  view(change) {
    change();
    this.background = null;
    this.ask();
  }

  listenToStage() {
    const { stage, scene } = this;
    const fingers = new Map();
    const place = (event) => {
      const box = stage.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    stage.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button") || event.button > 1) return;
      stage.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, place(event));
      stage.classList.add("held");
    });
    stage.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = place(event);
      fingers.set(event.pointerId, now);
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      if (fingers.size === 1) {
        const slide = event.shiftKey || event.buttons === 4;
        this.view(() => (slide ? scene.camera.slide(dx, dy) : scene.camera.drag(dx, dy)));
      } else if (fingers.size === 2) {
        const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
        const distance = (a) => Math.max(Math.hypot(a[0] - other[0], a[1] - other[1]), 10);
        this.view(() => {
          scene.camera.slide(dx / 2, dy / 2);
          scene.camera.zoom(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
        });
      }
    });
    const release = (event) => {
      fingers.delete(event.pointerId);
      if (fingers.size === 0) stage.classList.remove("held");
    };
    stage.addEventListener("pointerup", release);
    stage.addEventListener("pointercancel", release);
    stage.addEventListener("dblclick", (event) => {
      if (!event.target.closest("button")) this.view(() => scene.camera.reset());
    });
    // The wheel scrolls the page until the picture has been clicked, so that nobody gets caught in it.
    stage.addEventListener("wheel", (event) => {
      if (!(event.ctrlKey || event.metaKey || document.activeElement === stage)) return;
      event.preventDefault();
      this.view(() => scene.camera.zoom(0.998 ** clamp(event.deltaY, -300, 300), ...place(event)));
    }, { passive: false });
    stage.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.target !== this.stage || event.ctrlKey || event.metaKey || event.altKey) return;
    const { clock, scene } = this;
    const move = (dx, dy) => (event.shiftKey ? this.view(() => scene.camera.drag(dx * 20, dy * 20)) : null);
    const actions = {
      " ": () => clock.toggle(),
      ArrowLeft: () => move(-1, 0) ?? (event.shiftKey || clock.step(-1)),
      ArrowRight: () => move(1, 0) ?? (event.shiftKey || clock.step(1)),
      ArrowUp: event.shiftKey ? () => move(0, -1) : null,
      ArrowDown: event.shiftKey ? () => move(0, 1) : null,
      Home: () => clock.set(this.run.first),
      End: () => clock.set(this.run.last),
      PageUp: () => clock.jump(-1),
      PageDown: () => clock.jump(1),
      "+": () => this.view(() => scene.camera.zoom(1.25)),
      "=": () => this.view(() => scene.camera.zoom(1.25)),
      "-": () => this.view(() => scene.camera.zoom(0.8)),
      0: () => this.view(() => scene.camera.reset()),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    const before = clock.time;
    actions[event.key]();
    if (clock.time !== before) this.announce(clock.text(clock.time));
  }

  draw() {
    if (!this.scene) return;
    const { scene, theme } = this;
    // On paper the size does not hang on the window.
    const [width, height] = isPrinting() ? [460, 460 / scene.camera.ratio] : [this.stage.clientWidth, this.stage.clientHeight];
    if (width < 20 || height < 20) return;
    if (width !== scene.camera.width || height !== scene.camera.height) this.background = null;
    scene.camera.fit(width, height);
    if (!this.background) {
      this.background = prepare(this.layer, width, height);
      scene.drawBackground(this.background, theme);
    }
    const context = prepare(this.canvas, width, height);
    context.drawImage(this.layer, 0, 0, width, height);
    scene.draw(context, theme, this.clock.time);
    this.frames += 1;
  }

  // ---- the controls

  buildControls() {
    const { clock, run } = this;
    this.play = iconButton("play", "Play", () => clock.toggle(), { class: "icon play" });
    this.speed = element("select", { "aria-label": "Speed" }, ...clock.speeds.map((speed) => {
      const option = element("option", { value: String(speed) }, `${speed}×`);
      option.selected = speed === clock.speed;
      return option;
    }));
    this.speed.addEventListener("change", () => clock.choose(Number(this.speed.value)));
    this.loop = iconButton("loop", "Repeat", () => clock.repeat(!clock.loop), { "aria-pressed": "false" });
    this.now = element("span", { class: "now" });
    const range = { type: "range", min: "0", max: String(SLIDER_STEPS), step: "1", value: "0" };
    this.slider = element("input", { ...range, "aria-label": "Time" });
    this.slider.addEventListener("input", () => {
      clock.pause();
      clock.set(run.first + (Number(this.slider.value) / SLIDER_STEPS) * clock.span);
    });
    this.slider.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key];
      const jump = { PageUp: -1, PageDown: 1 }[event.key];
      if (!steps && !jump && event.key !== " ") return;
      event.preventDefault();
      if (steps) clock.step(event.shiftKey ? 10 * steps : steps);
      else if (jump) clock.jump(jump);
      else clock.toggle();
    });
    this.marks = element("canvas", { class: "marks", "aria-hidden": "true" });
    this.lastEvent = element("p", { class: "last-event" });
    const back = iconButton("back", "Step back", () => clock.step(-1));
    const forward = iconButton("forward", "Step forward", () => clock.step(1));
    this.buttons = [back, this.play, forward];
    for (const control of [...this.buttons, this.slider, this.loop, this.speed]) control.disabled = !(clock.span > 0);
    const rail = element("div", { class: "rail" }, this.marks, this.slider);
    new ResizeObserver(() => this.drawMarks()).observe(rail);
    const controls = element("div", { class: "controls", role: "group", "aria-label": "Playback" },
      rail,
      element("div", { class: "row" }, ...this.buttons, this.now, element("span", { class: "space" }), this.loop, this.speed));
    if (this.scene?.overlay.kinds.length > 0) controls.append(this.buildToggles());
    if (run.events.length > 0) controls.append(this.lastEvent);
    return controls;
  }

  /** Buttons for what is shown on request. */
  buildToggles() {
    const { overlay } = this.scene;
    const titles = { traces: "Paths of all points", velocities: "Velocities of points", reactions: "Forces of constraints on particles" };
    const buttons = overlay.kinds.map((kind) => {
      const button = element("button", { type: "button", class: "toggle", "aria-pressed": "false", title: titles[kind] }, kind);
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(overlay.toggle(kind)));
        this.ask();
      });
      return button;
    });
    return element("div", { class: "row toggles", role: "group", "aria-label": "Show" }, ...buttons);
  }

  /** Events on the time line. */
  drawMarks() {
    if (!this.marks || this.run.events.length === 0 || !(this.clock.span > 0)) return;
    const [width, height] = [this.marks.clientWidth, this.marks.clientHeight];
    if (width < 10) return;
    const context = prepare(this.marks, width, height);
    context.fillStyle = this.theme.mark;
    for (const { t } of this.run.events) {
      const x = ((t - this.run.first) / this.clock.span) * width;
      if (x >= -1 && x <= width + 1) context.fillRect(clamp(x - 1, 0, width - 2), 0, 2, height);
    }
  }

  follow(change) {
    const { clock, run } = this;
    if (run.rows === 0) return;
    const all = change === "all";
    if (all || change === "time") {
      const text = clock.text(clock.time);
      this.now.textContent = `${run.label(0)} = ${text}`;
      this.slider.value = String(clock.span > 0 ? Math.round(((clock.time - run.first) / clock.span) * SLIDER_STEPS) : 0);
      this.showEvent();
      this.ask();
    }
    if (all || change === "playing") {
      const [name, label] = clock.playing ? ["pause", "Pause"] : ["play", "Play"];
      this.play.replaceChildren(icon(name));
      this.play.setAttribute("aria-label", label);
      this.play.title = label;
    }
    if (change === "loop") this.loop.setAttribute("aria-pressed", String(clock.loop));
    // Words are for those who do not see; they change when the film stands still.
    if (clock.playing) return;
    const now = clock.text(clock.time);
    this.slider.setAttribute("aria-valuetext", now);
    if (this.scene) this.canvas.setAttribute("aria-label", `${run.about.title} at ${now}: ${this.scene.describe()}.`);
  }

  /** The event that happened last, in words. */
  showEvent() {
    const { events } = this.run;
    if (events.length === 0) return;
    const near = this.clock.span * 1e-6;
    const last = events.findLast((event) => event.t <= this.clock.time + near);
    const come = `${events.length} event${events.length > 1 ? "s" : ""} to come`;
    const text = last ? `${this.clock.text(last.t)}: ${last.text || last.name}` : come;
    if (this.lastEvent.textContent !== text) this.lastEvent.textContent = text;
  }
}
