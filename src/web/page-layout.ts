/** Text that may stand in HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to put into HTML: made by `html`, never from outside. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | readonly Part[];

/** Joins HTML and values: everything that is not HTML itself is escaped, so a hostile name stays text. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: pieces.reduce((text, piece, index) => text + render(parts[index - 1] ?? null) + piece) };
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  if ('html' in part) return part.html;
  return part.map(render).join('');
}

/** An address for `href`, or `#` for one that a browser would run instead of open. */
export function safeHref(url: string): string {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : '#';
}

/** A whole page of ours: one column, readable without scripts, in the light or dark that the reader prefers. */
export function renderPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Docloom</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<header><strong>Docloom</strong></header>
<main>
${body}
</main>
</body>
</html>
`.html;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bad: #c62f2f; --good: #1d7f43; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #7ddc9a; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
header { padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); }
main { max-width: 75rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
code { font: .9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.counts { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none; }
.counts li { padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.counts b { display: block; font-size: 1.5rem; line-height: 1.2; }
.bad { color: var(--bad); }
.good { color: var(--good); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { background: var(--soft); }
summary { cursor: pointer; font-weight: 600; padding: .5rem 0; }
.note { opacity: .75; }
`;
