// What is wrong with the layout of a page as it is seen now, in sentences: text beyond the edge of the screen, text that a box cuts off,
// text on text, labels on labels in a plot. Nothing where all is well.
(() => {
  const faults = new Set();
  const edge = document.documentElement.clientWidth;
  const whole = document.documentElement.scrollWidth;
  if (whole > edge) faults.add(`the page is ${whole} pixels wide on a screen of ${edge}`);

  // ---- boxes of text: each line of a text, each piece of a formula
  const boxes = [];
  const add = (owner, text, rects) => {
    for (const { left, right, top, bottom } of rects) {
      if (right - left > 0.5 && bottom - top > 0.5) boxes.push({ owner, text, left, right, top, bottom });
    }
  };
  const LEFT_OUT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "CANVAS", "svg", "SELECT", "TEXTAREA", "INPUT"]);
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent.trim();
      if (!text) return;
      const range = document.createRange();
      // Blanks at the end of a line may hang over the edge: nobody sees them.
      const start = node.textContent.indexOf(text[0]);
      range.setStart(node, start);
      range.setEnd(node, start + text.length);
      add(node.parentElement, text, range.getClientRects());
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      // What is read aloud only, and what is there only for the eye in a moment, has no place in the flow of the page.
      if (LEFT_OUT.has(node.tagName) || node.ariaHidden === "true" || node.classList.contains("unseen")) return;
      if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
      if (node.tagName === "math") add(node, node.textContent, [node.getBoundingClientRect()]);
      else node.childNodes.forEach(visit);
    }
  };
  visit(document.body);
  const quoted = ({ text }) => `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;

  // ---- beyond an edge
  const clips = new Map();
  const clipping = (element) => {
    if (!element || element === document.body) return [];
    if (!clips.has(element)) {
      const own = getComputedStyle(element).overflowX === "visible" ? [] : [element.getBoundingClientRect()];
      clips.set(element, [...own, ...clipping(element.parentElement)]);
    }
    return clips.get(element);
  };
  for (const box of boxes) {
    if (box.left < -1 || box.right > edge + 1) faults.add(`${quoted(box)} goes beyond the screen, ${edge} pixels wide`);
    const inside = clipping(box.owner).every((clip) => box.left > clip.left - 1.5 && box.right < clip.right + 1.5);
    if (!inside) faults.add(`${quoted(box)} is cut off by the box around it at ${edge} pixels`);
  }

  // ---- one on another
  const overlap = (a, b) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    // Boxes of letters have some air above and below.
    return across > 1.5 && down > 0.25 * Math.min(a.bottom - a.top, b.bottom - b.top);
  };
  const compare = (list, where) => {
    const sorted = [...list].sort((a, b) => a.top - b.top);
    let open = [];
    for (const box of sorted) {
      open = open.filter((other) => other.bottom > box.top);
      const other = open.find((one) => overlap(one, box));
      if (other) faults.add(`${quoted(box)} lies on ${quoted(other)}${where} at ${edge} pixels`);
      open.push(box);
    }
  };
  compare(boxes, "");

  // ---- labels in plots, recorded while they were drawn
  for (const canvas of document.querySelectorAll(".frame canvas")) {
    const labels = window.drawnTexts?.get(canvas) ?? [];
    const title = canvas.closest(".plot")?.querySelector("h3")?.textContent ?? "a plot";
    for (const label of labels) {
      if (label.left < -0.5 || label.right > label.room + 0.5) faults.add(`the label ${quoted(label)} is cut off in "${title}" at ${edge} pixels`);
    }
    compare(labels, ` in "${title}"`);
  }
  return [...faults].slice(0, 20);
})()
