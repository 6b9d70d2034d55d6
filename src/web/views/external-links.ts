import type { Revision, Space } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { sourceAddress } from '../addresses.ts';
import { formatAhead, formatMessage, formatMoment, formatNumber } from '../format.ts';
import {
  EXTERNAL_STATES,
  type ExternalCounts,
  type ExternalLinkFinding,
  type ExternalLinkResults,
  type ExternalLinkState,
} from '../scheduled.ts';

/** The page that shows the links. */
interface SpaceContext {
  readonly space: Space;
  readonly revision: Revision;
  readonly now: Date;
}

const SHOWN_USES = 5;

const WORDS: Readonly<Record<ExternalLinkState, readonly [tone: string, word: string]>> = {
  dead: ['bad', 'dead'],
  failing: ['wait', 'failing'],
  redirected: ['idle', 'moved'],
  restricted: ['idle', 'restricted'],
  ok: ['good', 'ok'],
  new: ['idle', 'not checked yet'],
};

/** The external links of a space: the number of addresses in each state, and those that somebody should check. */
export function renderExternalLinks(results: ExternalLinkResults, context: SpaceContext): Markup | null {
  const { counts, findings, next } = results;
  const total = EXTERNAL_STATES.reduce((sum, state) => sum + counts[state], 0);
  if (total === 0 && next === null) return null;
  return html`<section aria-labelledby="docloom-outside"><h2 id="docloom-outside">External links</h2>
<p class="soft">${
    total === 0
      ? 'No external link is known yet.'
      : html`${formatNumber(total)} ${total === 1 ? 'address' : 'addresses'}: ${listExternalCounts(counts)}.`
  } ${next === null ? 'They are no longer checked.' : html`Checked again ${formatAhead(next, context.now)}.`} They never fail a pull request.</p>
${findings.length === 0 ? null : renderTable(findings, context)}
</section>`;
}

/** The states that occur: `2 dead, 1 failing, 40 ok`. */
export function listExternalCounts(counts: ExternalCounts): string {
  return EXTERNAL_STATES.filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${WORDS[state][1]}`)
    .join(', ');
}

function renderTable(findings: readonly ExternalLinkFinding[], context: SpaceContext): Markup {
  return html`<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Address</th><th scope="col">State</th></tr></thead>
<tbody>
${findings.map((finding) => renderRow(finding, context))}</tbody></table></div>`;
}

function renderRow(finding: ExternalLinkFinding, context: SpaceContext): Markup {
  const { url, state, since, uses } = finding;
  const [tone, word] = isMissing(finding) ? ['wait', 'part missing'] : WORDS[state];
  const href = safeHref(url);
  const more = uses.length - SHOWN_USES;
  const address = html`<code>${url}</code>`;
  return html`<tr><th scope="row">${uses.slice(0, SHOWN_USES).map((use, index) => html`${index === 0 ? null : html`<br>`}${renderUse(use, context)}`)}${
    more > 0 ? html`<br><span class="soft">and ${formatNumber(more)} more</span>` : null
  }</th><td>${
    href === null ? address : html`<a href="${href}" rel="noreferrer nofollow">${address}</a>`
  }</td><td class="reason"><span class="state ${tone}">${word}</span> <span class="soft">since ${formatMoment(since, context.now)}</span><br>${formatMessage(describeReason(finding))}</td></tr>
`;
}

function isMissing({ state, missing }: ExternalLinkFinding): boolean {
  return missing.length > 0 && (state === 'ok' || state === 'redirected');
}

function describeReason(finding: ExternalLinkFinding): string {
  const { detail, missing } = finding;
  const fragments = missing.map((fragment) => `#${fragment}`).join(', ');
  const problem = isMissing(finding) ? `The page is there, and has no ${fragments}.` : null;
  return [problem, detail].filter((text) => text !== null).join(' ') || 'It will be checked again.';
}

function renderUse(
  { path, line }: { readonly path: string; readonly line: number },
  { space, revision }: SpaceContext,
): Markup {
  const position = html`<code>${path}:${line}</code>`;
  const href = safeHref(revision.git ? sourceAddress(space, revision.git.oid, path, line) : null);
  return href === null ? position : html`<a href="${href}">${position}</a>`;
}
