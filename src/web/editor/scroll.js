/** Scrolls text and preview in step: headings stand beside each other, and between them both move evenly. */
export function linkScroll(view, preview) {
  const source = view.scrollDOM;
  /** Pairs of positions in pixels, from the tops of both. */
  let points = [];
  let headings = [];
  let leader = null;

  const lead = (pane) => () => {
    leader = pane;
  };
  for (const name of ['pointerenter', 'focusin', 'touchstart', 'wheel']) {
    source.addEventListener(name, lead(source), { passive: true });
    preview.addEventListener(name, lead(preview), { passive: true });
  }
  source.addEventListener('scroll', () => follow(source, preview, 0), { passive: true });
  preview.addEventListener('scroll', () => follow(preview, source, 1), { passive: true });

  function follow(from, to, side) {
    if (leader !== from || to.scrollHeight <= to.clientHeight) return;
    measure();
    to.scrollTop = interpolate(points, from.scrollTop, side);
  }

  function measure() {
    const top = preview.getBoundingClientRect().top - preview.scrollTop;
    const { doc } = view.state;
    const found = headings.flatMap(({ line, name }) => {
      const element = line <= doc.lines ? preview.querySelector(`#${CSS.escape(name)}`) : null;
      if (element === null) return [];
      return [[view.lineBlockAt(doc.line(line).from).top, element.getBoundingClientRect().top - top]];
    });
    points = [[0, 0], ...found, [source.scrollHeight, preview.scrollHeight]];
  }

  return {
    refresh(now) {
      headings = now;
      if (leader === source) follow(source, preview, 0);
    },
  };
}

function interpolate(points, at, side) {
  let [before] = points;
  for (const point of points) {
    if (point[side] > at) {
      const share = (at - before[side]) / (point[side] - before[side]);
      return before[1 - side] + share * (point[1 - side] - before[1 - side]);
    }
    before = point;
  }
  return before[1 - side];
}
