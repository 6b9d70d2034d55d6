import type { ChangeRequest, GitOperation, LinkResource, Revision, Space } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import {
  changeRequestPath,
  changeRequestsPath,
  organizationPath,
  pagePath,
  sourceAddress,
} from '../addresses.ts';
import { formatMessage, formatMoment, formatOid } from '../format.ts';
import type { Disconnection, SchedulerResults } from '../scheduled.ts';
import { describeExport } from './describe-export.ts';
import { renderDeletionNotice } from './disconnection.ts';
import { renderExternalLinks } from './external-links.ts';
import { countPages, findTrail, firstPage, renderNavigation } from './navigation.ts';
import { renderNumbers } from './numbers.ts';
import { latestSync, renderLatest, renderReason } from './operation-state.ts';
import { renderOperations } from './operations-table.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

export interface SpaceFacts {
  readonly space: Space;
  /** The live content; null until something was imported. */
  readonly live: {
    readonly revision: Revision;
    /** When its commit was imported, ISO 8601. */
    readonly at: string;
    readonly links: { readonly total: number; readonly broken: number };
    readonly brokenLinks: readonly LinkResource[];
    /** The address of the next broken links; null when there are no more. */
    readonly moreBroken: string | null;
  } | null;
  /** Open change requests, newest first. */
  readonly proposed: readonly ChangeRequest[];
  /** Newest first. */
  readonly operations: readonly GitOperation[];
  /** What the scheduler did for it; null when it did nothing, or the user may not see it. */
  readonly scheduled: SchedulerResults | null;
  /** Why pushes no longer reach it; null while they do. */
  readonly disconnected: Disconnection | null;
  /** What is wrong with the newest configuration of its repository, which is then not used; null when nothing is. */
  readonly configError: string | null;
  readonly frame: SpaceFrame;
  readonly news: string | null;
  readonly now: Date;
}

/** The page of a space: its live content, its broken links, and its syncs. */
export function renderSpace(facts: SpaceFacts): string {
  const { space, live, operations, disconnected, frame } = facts;
  const latest = latestSync(operations);
  const pages = live?.revision.pages ?? [];
  return renderSpacePage({
    ...frame,
    tab: 'overview',
    news: facts.news,
    main: html`<div class="beside">
<div>
<div class="title-row"><h1>${space.emoji ? `${space.emoji} ` : null}${space.title}</h1>${renderLatest(latest, disconnected?.reason ?? null)}</div>
${renderLive(facts)}
${disconnected === null ? null : html`<p class="notice wait">${disconnected.reason}${renderDeletionNotice(disconnected.removedAt, facts.now)}</p>`}
${facts.configError === null ? null : html`<p class="notice bad"><strong>The newest configuration of its repository is not used.</strong> ${formatMessage(facts.configError)}</p>`}
${latest?.error ? renderFailure(latest, live !== null) : null}
${live ? renderBroken(space, live) : null}
${live ? renderNotices(operations) : null}
${facts.scheduled && live ? renderExternalLinks(facts.scheduled.externalLinks, { space, revision: live.revision, now: facts.now }) : null}
${renderProposed(facts)}
${renderExported(facts)}
${renderOperations(operations, facts.now)}
</div>
<div class="side"><div class="sticky">${renderNavigation({ pages, current: null, addressOf: (id) => pagePath(space.id, id) })}</div></div>
</div>`,
  });
}

function renderLive({ space, live, now, frame }: SpaceFacts): Markup {
  const repository = renderRepository(space);
  if (live === null) {
    return html`<p class="lead">Nothing is live yet${repository === null ? null : html` from ${repository}`}. The first import puts the pages here.</p>`;
  }
  const { revision, links, at } = live;
  const start = firstPage(revision.pages);
  return html`<p class="lead">${renderCommit(revision)} is live, ${
    revision.git ? 'imported' : 'changed here'
  } ${formatMoment(at, now)}${repository === null || !revision.git ? null : html` from ${repository}`}.</p>
<div class="buttons">${start === null ? null : html`<a class="button" href="${pagePath(space.id, start.id)}">Read the pages</a>`}${
    frame.organization === null
      ? null
      : html`<a href="${organizationPath(space.organization, 'translations')}?space=${encodeURIComponent(space.id)}">Translations</a>`
  }</div>
${renderNumbers({ pages: countPages(revision.pages), files: revision.files.length, links: links.total, broken: links.broken })}`;
}

function renderCommit({ git, id }: Revision): Markup {
  if (!git) return html`Revision <code class="oid">${id}</code>`;
  const href = safeHref(git.url);
  const oid = href === null ? formatOid(git.oid) : html`<a href="${href}">${formatOid(git.oid)}</a>`;
  const branch = git.ref?.replace(/^refs\/heads\//, '');
  return html`Commit ${oid}${branch === undefined ? null : html` of <code>${branch}</code>`}`;
}

function renderRepository({ gitSync }: Space): Markup | null {
  const name = gitSync?.repoName ?? gitSync?.url;
  if (name === undefined) return null;
  const href = safeHref(gitSync?.url);
  return href === null ? html`${name}` : html`<a href="${href}">${name}</a>`;
}

function renderFailure(latest: GitOperation, isLive: boolean): Markup {
  const kind = latest.state === 'failure' ? 'bad' : 'wait';
  const what =
    latest.state === 'failure'
      ? `The last ${latest.direction} failed`
      : `The last ${latest.direction} is being retried`;
  return html`<div class="notice ${kind}"><p><strong>${what}.</strong> ${renderReason(latest)}</p>
${isLive ? html`<p class="small">What was live before is still live.</p>` : null}</div>`;
}

function renderBroken(space: Space, live: NonNullable<SpaceFacts['live']>): Markup {
  const { brokenLinks, moreBroken, revision } = live;
  if (live.links.broken === 0) {
    return html`<section aria-labelledby="docloom-broken"><h2 id="docloom-broken">Broken links</h2>
<p class="notice good">No link is broken.</p></section>`;
  }
  return html`<section aria-labelledby="docloom-broken"><h2 id="docloom-broken">Broken links</h2>
<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Link</th><th scope="col">Why</th></tr></thead>
<tbody>
${brokenLinks.map((link) => renderBrokenRow(space, revision, link))}</tbody></table></div>
${moreBroken === null ? null : html`<p class="more"><a href="${moreBroken}">More broken links</a></p>`}
</section>`;
}

/** Open change requests, and the way to all. */
function renderProposed({ space, proposed, now }: SpaceFacts): Markup | null {
  if (proposed.length === 0) return null;
  return html`<section aria-labelledby="docloom-proposed"><h2 id="docloom-proposed">Change requests</h2>
<ul class="plain rows">
${proposed.map(
  ({ number, subject, outdated, createdBy, updatedAt }) =>
    html`<li><a href="${changeRequestPath(space.id, number)}">#${number} ${subject === '' ? 'Without a subject' : subject}</a>
<p class="small soft">Proposed${createdBy ? html` by ${createdBy.displayName}` : null}, changed ${formatMoment(updatedAt, now)}${outdated ? '; the space has changed since' : null}.</p></li>
`,
)}</ul>
<p class="more"><a href="${changeRequestsPath(space.id)}">All change requests</a></p></section>`;
}

/** The outcome of the last scheduled export, if there was any; the table of syncs lists other exports. */
function renderExported({ scheduled, now }: SpaceFacts): Markup | null {
  if (!scheduled?.exported) return null;
  const { tone, words, paths } = describeExport(scheduled.exported, now);
  const box = tone === 'good' ? 'good' : tone === 'bad' ? 'bad' : 'wait';
  return html`<section aria-labelledby="docloom-exported"><h2 id="docloom-exported">Exported edits</h2>
<div class="notice ${box}"><p>${words}</p>${paths}</div>
</section>`;
}

/** The notices of the latest import about single files. */
function renderNotices(operations: readonly GitOperation[]): Markup | null {
  const { notices } = operations.find(isOfContent) ?? {};
  if (notices === undefined) return null;
  const more = notices.count - notices.items.length;
  return html`<section aria-labelledby="docloom-notices"><h2 id="docloom-notices">Notices about files</h2>
<div class="scroll findings"><table>
<thead><tr><th scope="col">File</th><th scope="col">What</th></tr></thead>
<tbody>
${notices.items.map(
  ({ path, line, message }) =>
    html`<tr><th scope="row"><code>${path}${line === undefined ? null : `:${line}`}</code></th><td class="reason">${formatMessage(message)}</td></tr>
`,
)}</tbody></table></div>
${more === 0 ? null : html`<p class="more">And ${more} more.</p>`}
</section>`;
}

function isOfContent({ direction, state, skipped, standalone }: GitOperation): boolean {
  return direction === 'import' && state === 'success' && !skipped && !standalone;
}

function renderBrokenRow(space: Space, revision: Revision, link: LinkResource): Markup {
  const { message, rule, suggestion } = link.check;
  return html`<tr><th scope="row">${renderLocation(space, revision, link)}</th><td><code>${link.targetReference.url ?? ''}</code></td><td class="reason">${formatMessage(
    message ?? rule ?? 'This link leads nowhere.',
  )}${suggestion === undefined ? null : html`<br>Did you mean <code>${suggestion}</code>?`}</td></tr>
`;
}

/** A link to a page; for links in generated pages, which have no position in a file. */
function renderPage(space: Space, { pages }: Revision, id: string | undefined): Markup | null {
  const page = id === undefined ? undefined : findTrail(pages, id).at(-1);
  return page === undefined ? null : html`<a href="${pagePath(space.id, page.id)}">${page.title}</a>`;
}

/** Where a link stands: at the host of its repository, or else the page. */
export function renderLocation(space: Space, revision: Revision, link: LinkResource): Markup | null {
  const [location] = link.locationReferences;
  if (!location?.position) return renderPage(space, revision, location?.page?.id);
  const { path, line } = location.position;
  const position = html`<code>${path}:${line}</code>`;
  const source = revision.git ? sourceAddress(space, revision.git.oid, path, line) : null;
  const href =
    safeHref(source) ?? (location.page === undefined ? null : pagePath(space.id, location.page.id));
  return href === null ? position : html`<a href="${href}">${position}</a>`;
}
