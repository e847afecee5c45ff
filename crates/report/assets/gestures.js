// What a reader does in a plot: point, click, drag, turn the wheel, press keys.

const placeIn = (frame, event) => {
  const box = frame.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
};

/** A mouse points, clicks to set the time and drags to zoom; a finger moves the time. */
const listenToPointer = (plot) => {
  const { frame, clock } = plot;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !plot.scale) return;
    plot.readout = false;
    const at = placeIn(frame, event);
    plot.drag = { from: at, to: at, moved: false, touch: event.pointerType === "touch" };
    frame.setPointerCapture(event.pointerId);
    if (plot.drag.touch) plot.point(at, true);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!plot.scale) return;
    const at = placeIn(frame, event);
    const { drag } = plot;
    plot.point(at, Boolean(drag?.touch));
    if (drag && !drag.touch) {
      const { area } = plot.scale;
      drag.to = { x: clamp(at.x, area.left, area.right), y: clamp(at.y, area.top, area.bottom) };
      if (Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > 5) drag.moved = true;
      plot.askCursor();
    }
  });
  const end = (event) => {
    const { drag } = plot;
    plot.drag = null;
    if (!drag) return;
    if (drag.touch) plot.leave();
    else if (event.type === "pointerup" && drag.moved) plot.select(drag);
    else if (event.type === "pointerup") {
      const time = plot.timeAt(drag.from);
      if (time !== null) clock.set(time);
    }
    plot.askCursor();
  };
  frame.addEventListener("pointerup", end);
  frame.addEventListener("pointercancel", end);
  frame.addEventListener("pointerleave", () => plot.leave());
  frame.addEventListener("dblclick", () => plot.unzoom());
};

/** With control the wheel zooms, sideways it moves what is zoomed; else it scrolls the page. */
const listenToWheel = (plot) => {
  const { frame, zoom } = plot;
  frame.addEventListener("wheel", (event) => {
    if (!plot.scale || plot.phase) return;
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom.about(plot.timeAt(placeIn(frame, event)), 1.002 ** clamp(event.deltaY, -400, 400));
    } else if (!zoom.whole && (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY))) {
      event.preventDefault();
      plot.pan((sideways * (zoom.high - zoom.low)) / 800);
    }
  }, { passive: false });
};

const listenToKeys = (plot) => {
  const { frame, clock, zoom, run } = plot;
  const closer = () => zoom.about(clock.time, 0.5);
  const actions = {
    ArrowLeft: (event) => clock.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => clock.step(event.shiftKey ? 10 : 1),
    Home: () => clock.set(run.first),
    End: () => clock.set(run.last),
    PageUp: () => clock.jump(-1),
    PageDown: () => clock.jump(1),
    " ": () => clock.toggle(),
    "+": closer,
    "=": closer,
    "-": () => zoom.about(clock.time, 2),
    0: () => plot.unzoom(),
    Escape: () => plot.unzoom(),
  };
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    plot.readout = true;
    actions[event.key](event);
    plot.askCursor();
    if (!clock.playing) plot.say();
  });
  frame.addEventListener("blur", () => {
    plot.readout = false;
    plot.askCursor();
  });
};
