// What the page was given: the description in JSON, and the columns of numbers, unpacked when they are first asked for.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; text is always set as text, never as markup. */
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** The bytes of all columns. Reads no more than `expected` bytes, whatever the stream holds. */
const inflate = async (base64, expected) => {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("this browser has no DecompressionStream; a current Chromium, Firefox or Safari has one");
  }
  let packed;
  try {
    const text = atob(base64.trim());
    packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  } catch {
    throw new Error("the data is not base64 text");
  }
  const bytes = new Uint8Array(expected);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (filled + value.length > expected) throw new RangeError("more bytes than rows and columns need");
      bytes.set(value, filled);
      filled += value.length;
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw new Error(error instanceof RangeError ? error.message : "the compressed data is damaged");
  }
  if (filled !== expected) throw new Error(`${filled} bytes where ${expected} are needed`);
  return bytes;
};

/** The run: its description and its columns as arrays of numbers. */
class Run {
  constructor(about, bytes) {
    this.about = about;
    this.rows = about.rows;
    this.columns = about.columns;
    this.bytes = bytes;
    this.cache = new Array(about.columns.length);
    const t = this.rows > 0 ? this.column(0) : new Float32Array(0);
    this.t = t;
    this.first = this.rows > 0 && Number.isFinite(t[0]) ? t[0] : 0;
    this.last = this.rows > 0 && Number.isFinite(t[this.rows - 1]) ? t[this.rows - 1] : this.first;
    this.events = (about.events ?? []).filter((event) => Number.isFinite(event.t)).sort((a, b) => a.t - b.t);
  }

  static async read() {
    const about = JSON.parse(byId("holonom-data").textContent);
    if (about.form !== 1) throw new Error(`the data has form ${about.form}, and this page reads form 1`);
    if (about.rows === 0) return new Run(about, new Uint8Array(0));
    return new Run(about, await inflate(byId("holonom-columns").textContent, about.rows * about.columns.length * 4));
  }

  /** Column `index`: four planes of bytes, most significant first, of differences between successive 32-bit patterns. */
  column(index) {
    if (this.cache[index]) return this.cache[index];
    const { rows, bytes } = this;
    const bits = new Uint32Array(rows);
    const at = index * rows * 4;
    let last = 0;
    for (let i = 0; i < rows; i += 1) {
      const k = at + i;
      last += (bytes[k] << 24) | (bytes[k + rows] << 16) | (bytes[k + 2 * rows] << 8) | bytes[k + 3 * rows];
      bits[i] = last;
      last = bits[i];
    }
    return (this.cache[index] = new Float32Array(bits.buffer));
  }

  /** Where time `t` lies: row and fraction of the way to the next. Of two rows at one time, an event, it takes the later. */
  locate(t) {
    const { rows } = this;
    if (rows < 2 || !(t > this.first)) return { row: 0, fraction: 0 };
    if (t >= this.last) return { row: rows - 1, fraction: 0 };
    const row = upperBound(this.t, t) - 1;
    const span = this.t[row + 1] - this.t[row];
    return { row, fraction: span > 0 ? (t - this.t[row]) / span : 0 };
  }

  /** The value of a column at a place that `locate` found. */
  value(index, place) {
    const column = this.column(index);
    const a = column[place.row];
    return place.fraction > 0 ? a + (column[place.row + 1] - a) * place.fraction : a;
  }

  /** Label with unit, for read-outs. */
  label(index) {
    return this.columns[index].label || this.columns[index].name;
  }

  /** The unit of a column with a thin space before it, or nothing. */
  unit(index) {
    return spaced(this.columns[index].unit);
  }
}

/** The first index whose value is above `t`, in an array that does not fall. */
const upperBound = (array, t) => {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
};

// Numbers as people write them.

const superscript = (n) => String(n).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
const unitText = (unit) => unit.replace(/\^(-?\d+)/g, (_, power) => superscript(power)).replaceAll("*", "·");
const spaced = (unit) => (unit && unit !== "1" ? `\u202f${unitText(unit)}` : "");
const minus = (text) => text.replace("-", "−");

/** A number to `digits` significant digits, powers of ten where they are shorter. */
const number = (value, digits = 4) => {
  if (Number.isNaN(value)) return "no value";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(value)));
  if (power >= -4 && power < 6) return minus(value.toFixed(clamp(digits - 1 - power, 0, 12)));
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${minus(mantissa)}·10${superscript(Number(exponent))}`;
};

/** Steps of 1, 2 or 5 times a power of ten, about `count` of them between `low` and `high`. */
const ticks = (low, high, count) => {
  const raw = (high - low) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return { values: [], text: String, step: 0, scale: "" };
  const power = Math.floor(Math.log10(raw));
  const base = 10 ** power;
  const factor = [1, 2, 5, 10].find((f) => f * base >= raw * 0.75) ?? 10;
  const step = factor * base;
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9 && values.length < 100; k += 1) {
    values.push(k * step);
  }
  const finest = power + (factor === 10 ? 1 : 0);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  // A common power of ten stands at the axis once, not at every number.
  const shift = largest >= 1e5 || largest < 1e-3 ? Math.floor(Math.log10(largest)) : 0;
  const decimals = clamp(shift - finest, 0, 12);
  const text = (value) => (Math.abs(value) < step * 1e-6 ? "0" : minus((value / 10 ** shift).toFixed(decimals)));
  return { values, text, step, scale: shift === 0 ? "" : `×10${superscript(shift)}` };
};
