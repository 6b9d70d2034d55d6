import type { Revision, Space } from '../../client/index.ts';
import { sourceAddress } from '../addresses.ts';
import { formatAhead, formatMoment, formatNumber } from '../format.ts';
import { html, type Markup, safeHref } from '../html.ts';
import {
  OUTSIDE_STATES,
  type OutsideCounts,
  type OutsideFinding,
  type OutsideLinks,
  type OutsideState,
} from '../scheduled.ts';

interface Around {
  readonly space: Space;
  readonly revision: Revision;
  readonly now: Date;
}

const SHOWN_USES = 5;

const WORDS: Readonly<Record<OutsideState, readonly [tone: string, word: string]>> = {
  dead: ['bad', 'dead'],
  failing: ['wait', 'failing'],
  redirected: ['idle', 'moved'],
  restricted: ['idle', 'not for programs'],
  ok: ['good', 'well'],
  new: ['idle', 'not checked yet'],
};

/** The addresses outside that pages link to: how many stand how, and those that somebody should look at. */
export function renderOutside(outside: OutsideLinks, around: Around): Markup | null {
  const total = OUTSIDE_STATES.reduce((sum, state) => sum + outside.counts[state], 0);
  if (total === 0 && outside.next === null) return null;
  return html`<section aria-labelledby="docloom-outside"><h2 id="docloom-outside">Links outside</h2>
<p class="soft">${
    total === 0
      ? 'No address outside is known yet.'
      : html`${formatNumber(total)} ${total === 1 ? 'address' : 'addresses'}: ${listOutsideCounts(outside.counts)}.`
  } ${outside.next === null ? 'They are no longer checked.' : html`Checked again ${formatAhead(outside.next, around.now)}.`} They never fail a pull request.</p>
${outside.findings.length === 0 ? null : renderTable(outside.findings, around)}
</section>`;
}

/** `2 dead, 1 failing, 40 well`: those states that there are. */
export function listOutsideCounts(counts: OutsideCounts): string {
  return OUTSIDE_STATES.filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${WORDS[state][1]}`)
    .join(', ');
}

function renderTable(findings: readonly OutsideFinding[], around: Around): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="docloom-outside"><table class="roomy">
<thead><tr><th scope="col">Where</th><th scope="col">Address</th><th scope="col">State</th></tr></thead>
<tbody>
${findings.map((one) => renderRow(one, around))}</tbody></table></div>`;
}

function renderRow(finding: OutsideFinding, around: Around): Markup {
  const { url, state, since, uses } = finding;
  const [tone, word] = isMissing(finding) ? ['wait', 'part missing'] : WORDS[state];
  const href = safeHref(url);
  const more = uses.length - SHOWN_USES;
  const address = html`<code>${url}</code>`;
  return html`<tr><th scope="row">${uses.slice(0, SHOWN_USES).map((use, index) => html`${index === 0 ? null : html`<br>`}${renderUse(use, around)}`)}${
    more > 0 ? html`<br><span class="soft">and ${formatNumber(more)} more</span>` : null
  }</th><td>${
    href === null ? address : html`<a href="${href}" rel="noreferrer nofollow">${address}</a>`
  }</td><td class="reason"><span class="state ${tone}">${word}</span> <span class="soft">since ${formatMoment(since, around.now)}</span><br>${describeReason(finding)}</td></tr>
`;
}

function isMissing({ state, missing }: OutsideFinding): boolean {
  return missing.length > 0 && (state === 'ok' || state === 'redirected');
}

function describeReason(finding: OutsideFinding): string {
  const { detail, missing } = finding;
  const parts = missing.map((one) => `#${one}`).join(', ');
  const said = isMissing(finding) ? `The page is there, and has no ${parts}.` : null;
  return [said, detail].filter((one) => one !== null).join(' ') || 'It has to be checked again.';
}

function renderUse(
  { path, line }: { readonly path: string; readonly line: number },
  { space, revision }: Around,
): Markup {
  const place = html`<code>${path}:${line}</code>`;
  const href = safeHref(revision.git ? sourceAddress(space, revision.git.oid, path, line) : null);
  return href === null ? place : html`<a href="${href}">${place}</a>`;
}
