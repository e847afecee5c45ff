// Runs before the scripts of a page: keeps the texts of every canvas with the boxes they take, until the canvas is drawn anew.
window.drawnTexts = new WeakMap();
(() => {
  const context = CanvasRenderingContext2D.prototype;
  const { fillText, setTransform } = context;
  context.setTransform = function reset(...given) {
    window.drawnTexts.set(this.canvas, []);
    return setTransform.apply(this, given);
  };
  context.fillText = function record(text, x, y, ...more) {
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } =
      this.measureText(text);
    const list = window.drawnTexts.get(this.canvas) ?? [];
    // On paper a canvas is drawn at one size and shown at another.
    const room = this.canvas.width / this.getTransform().a;
    list.push({ text: String(text), left: x - left, right: x + right, top: y - up, bottom: y + down, room });
    window.drawnTexts.set(this.canvas, list);
    return fillText.call(this, text, x, y, ...more);
  };
})();
