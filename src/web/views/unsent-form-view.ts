import { html, type Markup } from '../../markup/index.ts';
import { homePath, signInPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';

/** What a browser sent in a form: names and values, in order. */
export type SentFields = readonly (readonly [name: string, value: string])[];

/** A text of this length, or with a space in it, was typed by somebody; shorter values are choices, ids and numbers. */
const TYPED_LENGTH = 60;

/** A form that came when nobody was signed in any more: with all that was in it, to be sent again. */
export function renderUnsentForm(action: string, fields: SentFields): string {
  const isTyped = (value: string) => value.length >= TYPED_LENGTH || /\s/.test(value.trim());
  const typed = fields.filter(([, value]) => isTyped(value));
  const others = fields.filter(([, value]) => !isTyped(value));
  return renderLayout({
    title: 'You are signed out',
    main: html`<div class="narrow"><h1>You are signed out</h1>
<p class="lead">Your session has ended, so nothing was saved or changed yet. ${typed.length === 0 ? null : 'What you wrote is below. '}Sign in in another tab, then come back to this one and send it again.</p>
<p><a class="button" href="${signInPath(homePath)}" target="_blank" rel="noopener">Sign in in another tab</a></p>
<form method="post" action="${action}">
${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${typed.map(renderTyped)}<button type="submit">Send it again</button>
</form></div>`,
  });
}

function renderTyped([name, value]: SentFields[number], index: number): Markup {
  const id = `docloom-typed-${index}`;
  const rows = Math.min(24, value.split('\n').length + 1);
  // HTML drops the first line feed of a text area.
  return html`<div class="field"><label for="${id}">What you wrote</label>
<textarea id="${id}" name="${name}" rows="${rows}">
${value}</textarea></div>
`;
}
