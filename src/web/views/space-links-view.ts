import type { LinkResource, Revision } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { editLinePath, spacePartPath } from '../addresses.ts';
import { formatMessage, formatNumber } from '../format.ts';
import type { SchedulerResults } from '../scheduled.ts';
import { renderExternalLinks } from './external-links.ts';
import { renderMore } from './more-link.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';
import { renderLocation } from './space-view.ts';
import { renderTabs } from './tabs.ts';

interface Stats {
  readonly total: number;
  readonly broken: { readonly total: number };
  readonly inApp: number;
}

/** What links can be filtered by, the first where nothing is chosen. */
export const linkFilters = [
  { value: 'broken', status: 'broken', title: 'Broken', count: ({ broken }: Stats) => broken.total },
  { value: 'in-app', status: 'in-app', title: 'To the dashboard', count: ({ inApp }: Stats) => inApp },
  {
    value: 'ok',
    status: 'ok',
    title: 'Not broken',
    count: ({ total, broken, inApp }: Stats) => total - broken.total - inApp,
  },
  { value: 'all', status: null, title: 'All', count: ({ total }: Stats) => total },
] as const;

const VERDICTS: Readonly<
  Record<LinkResource['check']['verdict'], readonly [tone: 'good' | 'bad' | 'wait' | 'idle', words: string]>
> = {
  ok: ['good', 'Works'],
  broken: ['bad', 'Broken'],
  'in-app': ['wait', 'To the dashboard'],
  unchecked: ['idle', 'Not checked'],
};

/** The links of a space with their verdicts. */
export function renderSpaceLinks(options: {
  readonly frame: SpaceFrame;
  /** The live content; null until something was imported. */
  readonly revision: Revision | null;
  readonly scheduled: SchedulerResults | null;
  readonly filter: (typeof linkFilters)[number];
  readonly links: readonly LinkResource[];
  readonly stats: Stats | null;
  readonly more: string | null;
  readonly problem: string | null;
  readonly now: Date;
}): string {
  const { frame, revision, scheduled, filter, links, stats, more, problem, now } = options;
  const path = (value: string) => `${spacePartPath(frame.space.id, 'links')}?status=${value}`;
  return renderSpacePage({
    ...frame,
    tab: 'links',
    problem,
    main: html`<h1>Links</h1>
${
  revision === null || stats === null
    ? html`<p class="lead">Nothing is live yet, so there is no link to check.</p>`
    : html`${renderTabs({
        about: 'Links',
        tabs: linkFilters.map(({ value, title, count }) => ({
          href: path(value),
          label: title,
          count: formatNumber(count(stats)),
        })),
        current: path(filter.value),
      })}
${
  links.length === 0
    ? html`<p class="notice good">${filter.value === 'broken' ? 'No link is broken.' : 'There is no such link.'}</p>`
    : html`${frame.space.permissions.edit && links.some(isFixable) ? renderFixAll(frame) : null}<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Link</th><th scope="col">Verdict</th><th scope="col">Why</th></tr></thead>
<tbody>
${links.map((link) => renderRow(frame, revision, link))}</tbody></table></div>`
}
${renderMore(more, 'More links')}
${scheduled === null ? null : renderExternalLinks(scheduled.externalLinks, { space: frame.space, revision, now })}`
}`,
  });
}

function renderRow({ space }: SpaceFrame, revision: Revision, link: LinkResource): Markup {
  const { verdict, message, suggestion } = link.check;
  const [tone, words] = VERDICTS[verdict];
  return html`<tr><th scope="row">${renderLocation(space, revision, link)}</th><td>${describeTarget(link)}</td><td><span class="state ${tone}">${words}</span></td><td class="reason">${message === undefined ? null : formatMessage(message)}${
    suggestion === undefined ? null : html` Did you mean <code>${suggestion}</code>?`
  }${renderActions(space, link)}</td></tr>
`;
}

/** What its editors do about a broken link: take the suggestion, or write another destination. */
function renderActions({ id, permissions }: SpaceFrame['space'], link: LinkResource): Markup | null {
  const path = pathOf(link);
  if (!permissions.edit || link.check.verdict !== 'broken' || path === '') return null;
  const { line } = link.locationReferences[0]?.position ?? {};
  return html`<div class="buttons link-actions">${isFixable(link) ? renderFix(id, path) : null}<a href="${editLinePath(id, path, line)}">Edit<span class="visually-hidden"> ${path}, line ${line}</span></a></div>`;
}

function pathOf({ locationReferences }: LinkResource): string {
  return locationReferences[0]?.position?.path ?? '';
}

/** Whether a button can correct it: it stands in a file, and there is a suggestion. */
function isFixable(link: LinkResource): boolean {
  return link.check.verdict === 'broken' && link.check.suggestion !== undefined && pathOf(link) !== '';
}

function renderFixAll({ space }: SpaceFrame): Markup {
  return html`<form method="post" action="${spacePartPath(space.id, 'links/fix')}"><p><button type="submit">Fix all with a suggestion</button> <span class="small soft">in a change request, which readers see when it is merged</span></p></form>`;
}

function renderFix(spaceId: string, path: string): Markup {
  return html`<form method="post" action="${spacePartPath(spaceId, 'links/fix')}"><input type="hidden" name="path" value="${path}"><button class="quiet" type="submit">Fix this file<span class="visually-hidden"> (${path})</span></button></form>`;
}

function describeTarget({ targetReference: { url, page, file } }: LinkResource): Markup | string {
  return url === undefined ? (page?.title ?? file?.name ?? '') : html`<code>${url}</code>`;
}
