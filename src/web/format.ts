import { html, type Markup } from '../markup/index.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const numbers = new Intl.NumberFormat('en-GB');

/** A past moment, an ISO 8601 text: its age within the last week, else its date; the exact time shows on hover. */
export function formatMoment(moment: string, now: Date): Markup {
  const at = new Date(moment);
  const exact = `${dateAndTime.format(at)} UTC`;
  return html`<time datetime="${moment}" title="${exact}">${ago(now.getTime() - at.getTime()) ?? exact}</time>`;
}

function ago(milliseconds: number): string | null {
  if (milliseconds < -minute || milliseconds >= 7 * day) return null;
  if (milliseconds < minute) return 'just now';
  if (milliseconds < hour) return `${plural(Math.floor(milliseconds / minute), 'minute')} ago`;
  if (milliseconds < day) return `${plural(Math.floor(milliseconds / hour), 'hour')} ago`;
  return `${plural(Math.floor(milliseconds / day), 'day')} ago`;
}

/** A future moment, an ISO 8601 text: the time until then within the next two days, else its date. */
export function formatAhead(moment: string, now: Date): Markup {
  const at = new Date(moment);
  const exact = `${dateAndTime.format(at)} UTC`;
  return html`<time datetime="${moment}" title="${exact}">${ahead(at.getTime() - now.getTime()) ?? exact}</time>`;
}

function ahead(milliseconds: number): string | null {
  if (milliseconds >= 2 * day) return null;
  if (milliseconds < minute) return 'within a minute';
  if (milliseconds < hour) return `in ${plural(Math.ceil(milliseconds / minute), 'minute')}`;
  return `in ${plural(Math.ceil(milliseconds / hour), 'hour')}`;
}

/** A duration: `420 ms`, `3.2 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < minute) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function formatNumber(number: number): string {
  return numbers.format(number);
}

/** `1 page`, `1,204 pages`. */
export function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A git object id, shortened to 7 characters; the full one shows on hover. */
export function formatOid(oid: string): Markup {
  return html`<code class="oid" title="${oid}">${oid.slice(0, 7)}</code>`;
}

/** A message that names things in backticks, as Markdown does: they are shown as code. */
export function formatMessage(message: string): Markup {
  const parts = message.split(/`([^`\n]+)`/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
