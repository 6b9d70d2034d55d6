import { html, type Markup, safeHref } from '../../markup/index.ts';
import { formatMessage, formatMoment, formatNumber, formatOid } from '../format.ts';
import type { ScheduledExport } from '../scheduled.ts';

const SHOWN_PATHS = 20;

/** Describes the outcome of the last export in one or two sentences, with the files that need attention. */
export function describeExport(
  exported: ScheduledExport,
  now: Date,
): { readonly tone: 'good' | 'wait' | 'bad'; readonly words: Markup; readonly paths: Markup | null } {
  const { outcome, branch, error, commit, at } = exported;
  const when = formatMoment(at, now);
  const to = html`<code>${branch}</code>`;
  const pull = renderPull(exported);
  const reason = error === null ? null : html` ${formatMessage(error)}`;
  const paths = renderPaths(exported.paths);
  switch (outcome) {
    case 'same':
      return { tone: 'good', words: html`Nothing differs from ${to}, checked ${when}.`, paths };
    case 'pushed':
      return {
        tone: 'good',
        words: html`The last edits were pushed to ${to}${commit === null ? null : html` as ${renderCommit(commit)}`}, ${when}.`,
        paths,
      };
    case 'proposed':
      return { tone: 'wait', words: html`The last edits are in ${pull} to ${to}, ${when}.${reason}`, paths };
    case 'declined':
      return {
        tone: 'wait',
        words: html`The last edits were declined: ${pull} was closed without them. The next edit is proposed again.`,
        paths,
      };
    case 'failed':
      return {
        tone: 'bad',
        words: html`<strong>The last edits could not be exported to ${to}.</strong>${reason} The export is retried. (${when})`,
        paths,
      };
  }
}

function renderPull({ pull }: ScheduledExport): Markup {
  const href = safeHref(pull?.url);
  return pull === null || href === null
    ? html`a pull request`
    : html`<a href="${href}">pull request #${pull.number}</a>`;
}

function renderCommit({ oid, url }: NonNullable<ScheduledExport['commit']>): Markup {
  const href = safeHref(url);
  return href === null ? formatOid(oid) : html`<a href="${href}">${formatOid(oid)}</a>`;
}

function renderPaths(paths: readonly string[]): Markup | null {
  if (paths.length === 0) return null;
  const more = paths.length - SHOWN_PATHS;
  return html`<ul class="small">${paths.slice(0, SHOWN_PATHS).map((path) => html`<li><code>${path}</code></li>`)}${
    more > 0 ? html`<li>and ${formatNumber(more)} more</li>` : null
  }</ul>`;
}
