import { type Piece, type SafeHtml, safeHtml } from './html.ts';
import { STYLE_ADDRESS } from './style.ts';

/** A whole page. `trail` are its breadcrumbs; `body` contains the page's only `<h1>`. */
export function frame(title: string, trail: readonly SafeHtml[], body: Piece): SafeHtml {
  return safeHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Docloom sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_ADDRESS}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="wide"><a class="brand" href="/">Docloom sandbox</a><span class="soft small">stands in for GitHub on this machine</span></div></header>
${trail.length > 0 && safeHtml`<nav class="path wide" aria-label="Path"><ol><li><a href="/">Repositories</a></li>${trail.map((step) => safeHtml`<li>${step}</li>`)}</ol></nav>`}
<main id="main" class="wide" tabindex="-1">
${body}
</main>
<footer class="bottom"><div class="wide">Change files with git; everything else also works with the API below <code>/api/v3</code>.</div></footer>
</body>
</html>
`;
}

/** A state in words and colour; the meaning never depends on the colour alone. */
export function stateLabel(state: string): SafeHtml {
  const tone = tones[state] ?? 'neutral';
  return safeHtml`<span class="state ${tone}">${state.replaceAll('_', ' ')}</span>`;
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
