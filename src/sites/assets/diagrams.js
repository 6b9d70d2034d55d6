// Draws the diagrams of a page. Their sources may be hostile, so another document draws them, without an origin of its own and
// behind a policy of its own; what it answers is shown as a picture, in which nothing runs.

const root = document.documentElement;
const { frame: frameHref, words: ownWords } = document.getElementById('docloom-diagrams').dataset;
const words = JSON.parse(ownWords);
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);

/** In characters; a longer one stays a source. */
const MAX_SOURCE = 50_000;

/** In CSS pixels. */
const MAX_SIDE = 10_000;

const diagrams = [...document.querySelectorAll('pre.diagram')].map((pre) => ({
  pre,
  source: pre.textContent,
  image: null,
}));

/** Answers the port of a document that draws. */
function openFrame() {
  const frame = document.createElement('iframe');
  frame.className = 'diagram-frame';
  frame.sandbox = 'allow-scripts';
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.title = words.diagram;
  frame.src = frameHref;
  const opened = new Promise((resolve) => {
    frame.addEventListener('load', () => {
      const { port1, port2 } = new MessageChannel();
      // A document without an origin cannot be named as the receiver.
      frame.contentWindow.postMessage('draw', '*', [port2]);
      resolve(port1);
    });
  });
  document.body.append(frame);
  return opened;
}

const titleOf = (source) =>
  /^\s*(?:accTitle|title)\s*:?\s+(.{1,200})$/m.exec(source)?.[1]?.trim() ?? words.diagram;

/** Shows the picture, and folds the source below it. */
function show(diagram, { svg, width, height, theme }) {
  const image = diagram.image ?? document.createElement('img');
  image.dataset.theme = theme === 'dark' ? 'dark' : 'light';
  image.alt = titleOf(diagram.source);
  image.width = Math.min(MAX_SIDE, Math.ceil(Number(width)) || 1);
  image.height = Math.min(MAX_SIDE, Math.ceil(Number(height)) || 1);
  image.src = `data:image/svg+xml,${encodeURIComponent(String(svg))}`;
  if (diagram.image) return;
  diagram.image = image;
  // The box with the button that copies, where there is one.
  const box = diagram.pre.closest('.code-box') ?? diagram.pre;
  const figure = document.createElement('figure');
  figure.className = 'diagram';
  const source = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = words.source;
  box.replaceWith(figure);
  source.append(summary, box);
  figure.append(image, source);
}

/** One that cannot be drawn stays a source. */
async function draw(port) {
  const wanted = diagrams.filter(({ source }) => source.length <= MAX_SOURCE);
  port.onmessage = ({ data }) => {
    const diagram = wanted[data?.at];
    if (diagram && data.svg) show(diagram, data);
  };
  port.postMessage({ sources: wanted.map(({ source }) => source), isDark: isDark() });
}

const port = await openFrame();
await draw(port);
let wasDark = isDark();
const drawAgain = () => {
  if (isDark() === wasDark) return;
  wasDark = isDark();
  draw(port);
};
system.addEventListener('change', drawAgain);
new MutationObserver(drawAgain).observe(root, { attributes: true, attributeFilter: ['data-theme'] });
