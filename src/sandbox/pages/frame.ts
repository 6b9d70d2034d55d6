import { html, type Markup, type Piece } from './html.ts';

export const STYLE_ADDRESS = '/-/style.css';

export const style = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6474; --paper: #fff; --wash: #f4f6f9; --line: #dde2ea;
  --link: #0a58ca; --good: #156c34; --bad: #b3261e; --wait: #7a5600; --plain: #4d5564; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e9f0; --soft: #a0a9b8; --paper: #14181f; --wash: #1c222b; --line: #333c48;
    --link: #7db2ff; --good: #6fd493; --bad: #ff8f85; --wait: #f0c050; --plain: #b4bcc9; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); } a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
header, main { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; border-bottom: 1px solid var(--line); }
header .name { font-weight: 700; color: inherit; text-decoration: none; } header .note { color: var(--soft); }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
.soft { color: var(--soft); } code, pre { font: .9em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; margin: 0; padding: .75rem 1rem; background: var(--wash); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
.state { font-weight: 600; white-space: nowrap; } .state::before { content: '● '; }
.success, .open { color: var(--good); } .failure, .error { color: var(--bad); } .pending, .warning { color: var(--wait); }
.neutral, .closed, .notice { color: var(--plain); } .merged { color: var(--link); }
.card { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; overflow: hidden; }
.card > h3 { margin: 0; padding: .6rem 1rem; background: var(--wash); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.card > .inside { padding: .5rem 1rem 1rem; } .card ol { list-style: none; margin: 0; padding: 0; }
.card li.note { padding: .75rem 1rem; border-top: 1px solid var(--line); } .card li.note:first-child { border-top: 0; }
.note p { margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; } .note pre { margin-top: .5rem; }
.note mark { background: none; color: inherit; font-weight: 700; border-bottom: 2px solid var(--bad); }
.number { display: inline-block; min-width: 3ch; margin-right: 1.5ch; text-align: right; color: var(--soft); user-select: none; }
`;

/** A whole page. `trail` are the steps from the start page to this one. */
export function frame(title: string, trail: readonly Markup[], body: Piece): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Docloom sandbox</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">
</head>
<body>
<header><a class="name" href="/">Docloom sandbox</a>${trail.map((step) => html`<span>${step}</span>`)}<span class="note">a stand-in for GitHub on this machine</span></header>
<main>
${body}
</main>
</body>
</html>
`;
}

/** A state in words and colour; the colour alone says nothing. */
export function stateLabel(state: string): Markup {
  const tone = tones[state] ?? 'neutral';
  return html`<span class="state ${tone}">${state.replaceAll('_', ' ')}</span>`;
}

const tones: Readonly<Record<string, string>> = {
  success: 'success',
  failure: 'failure',
  error: 'failure',
  timed_out: 'failure',
  action_required: 'pending',
  pending: 'pending',
  queued: 'pending',
  in_progress: 'pending',
  open: 'open',
  closed: 'closed',
  merged: 'merged',
  warning: 'warning',
  notice: 'notice',
};
