// Runs in a document without an origin, beside the library: draws the sources that the page sends, and answers pictures.

/* global mermaid */
const SLICES = ['#5f52b8', '#2f6f9f', '#2c7a52', '#93641f', '#9c3f4d', '#6b4a8f'];
const DARK_PIE = {
  ...Object.fromEntries(SLICES.map((color, at) => [`pie${at + 1}`, color])),
  pieStrokeColor: '#131418',
  pieOuterStrokeColor: '#131418',
};

let count = 0;

async function draw(source, options) {
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', ...options });
  const id = `diagram-${++count}`;
  const box = document.body.appendChild(document.createElement('div'));
  try {
    const { svg: written } = await mermaid.render(id, source, box);
    const svg = new DOMParser().parseFromString(written, 'text/html').querySelector('svg');
    const [, , width, height] = svg.getAttribute('viewBox').split(/[\s,]+/);
    svg.setAttribute('width', width);
    svg.setAttribute('height', height);
    return { svg: new XMLSerializer().serializeToString(svg), width, height };
  } finally {
    box.remove();
    document.getElementById(id)?.remove();
    document.getElementById(`d${id}`)?.remove();
  }
}

addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== parent || !port) return;
  let last = Promise.resolve();
  port.onmessage = ({ data: { sources, isDark } }) => {
    const options = {
      theme: isDark ? 'dark' : 'default',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      class: { htmlLabels: false },
      fontFamily: 'system-ui, sans-serif',
      // Its own colours of a dark pie are black.
      ...(isDark ? { themeVariables: DARK_PIE } : {}),
    };
    sources.forEach((text, at) => {
      // One after the other: the library keeps what it draws in variables of its own.
      last = last
        .then(() => draw(text, options))
        .then(
          (drawn) => port.postMessage({ at, theme: isDark ? 'dark' : 'light', ...drawn }),
          () => port.postMessage({ at, svg: null }),
        );
    });
  };
});
