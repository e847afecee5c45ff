// One time for all: what the slider, the animation and every plot show, and the span of it that the plots show.
// Whoever shows something listens here.

class Clock {
  constructor(run) {
    this.run = run;
    this.time = run.first;
    this.hover = null;
    this.playing = false;
    this.loop = false;
    this.listeners = [];
    this.frame = null;
    this.span = run.last - run.first;
    // Real time, unless the run would then be over in less than 4 s or take more than 20 s.
    const fitting = this.span > 0 ? this.span / clamp(this.span, 4, 20) : 1;
    this.speeds = speedsAround(fittingSpeed(fitting));
    this.speed = this.speeds[3];
    this.decimals = this.span > 0 ? clamp(3 - Math.floor(Math.log10(this.span)), 0, 9) : 3;
  }

  /** Calls `listener(change)` after each change; `change` names what: "time", "hover", "playing", "speed" or "loop". */
  listen(listener) {
    this.listeners.push(listener);
  }

  tell(change) {
    for (const listener of this.listeners) listener(change);
  }

  set(time) {
    const next = clamp(time, this.run.first, this.run.last);
    if (next === this.time || Number.isNaN(next)) return;
    this.time = next;
    this.tell("time");
  }

  /** Where the pointer is on the time axis of some plot, or null. */
  point(time) {
    if (time === this.hover) return;
    this.hover = time;
    this.tell("hover");
  }

  /** One frame of the film, or `count` of them. */
  step(count) {
    this.pause();
    this.set(this.time + count * Math.min(this.speed / 30, this.span / 10));
  }

  /** To the next event, or the one before; without one, to the end or the beginning. */
  jump(direction) {
    this.pause();
    const times = this.run.events.map((event) => event.t);
    const least = this.span * 1e-6;
    const next = direction > 0
      ? times.find((t) => t > this.time + least) ?? this.run.last
      : times.findLast((t) => t < this.time - least) ?? this.run.first;
    this.set(next);
  }

  choose(speed) {
    this.speed = speed;
    this.tell("speed");
  }

  repeat(loop) {
    this.loop = loop;
    this.tell("loop");
  }

  play() {
    if (this.playing || !(this.span > 0)) return;
    if (this.time >= this.run.last) this.set(this.run.first);
    this.playing = true;
    this.tell("playing");
    let before = null;
    const advance = (now) => {
      if (!this.playing) return;
      // A tab that slept does not make the film leap.
      const elapsed = before === null ? 0 : Math.min((now - before) / 1000, 0.1);
      before = now;
      let next = this.time + elapsed * this.speed;
      if (next >= this.run.last) {
        if (!this.loop) {
          this.set(this.run.last);
          this.pause();
          return;
        }
        next = this.run.first + ((next - this.run.first) % this.span);
      }
      this.set(next);
      this.frame = requestAnimationFrame(advance);
    };
    this.frame = requestAnimationFrame(advance);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.tell("playing");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** A time with its unit, to the digits that the length of the run deserves. */
  text(time) {
    return minus(time.toFixed(this.decimals)) + this.run.unit(0);
  }
}

/** Number `index` of the series … 0.1, 0.2, 0.5, 1, 2, 5, 10 …; 0 is 1. */
const speedNumber = (index) => {
  const decade = Math.floor(index / 3);
  return Number(`${[1, 2, 5][index - 3 * decade]}e${decade}`);
};

/** The speed of the series next to `value`, on the side where the run takes neither too short nor too long. */
const fittingSpeed = (value) => {
  let index = 3 * Math.floor(Math.log10(value));
  while (speedNumber(index + 1) <= value * 1.0001) index += 1;
  return value > 1 && speedNumber(index) < value * 0.9999 ? index + 1 : index;
};

const speedsAround = (index) => [-3, -2, -1, 0, 1, 2, 3].map((k) => speedNumber(index + k));

/** Calls `draw` once before the next picture on the screen, however often it is asked. */
const onceAFrame = (draw) => {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
};

/** The span of time that all plots show. */
class Zoom {
  constructor(run) {
    this.run = run;
    this.listeners = [];
    this.reset();
  }

  get whole() {
    return this.low === this.run.first && this.high === this.run.last;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  set(low, high) {
    const { first, last } = this.run;
    const least = (last - first) * 1e-5;
    if (!(high - low > least)) return;
    [this.low, this.high] = [clamp(low, first, last), clamp(high, first, last)];
    for (const listener of this.listeners) listener();
  }

  reset() {
    this.low = this.run.first;
    this.high = this.run.last;
    for (const listener of this.listeners) listener();
  }

  /** Zooms by `factor` about `t`, which keeps its place. */
  about(t, factor) {
    this.set(t + (this.low - t) * factor, t + (this.high - t) * factor);
  }
}
