import type { GitOperation, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { organizationPath, setupPath, spacePath, statusPath } from '../addresses.ts';
import { formatMoment, formatOid } from '../format.ts';
import { renderLayout } from '../layout.ts';
import { type Counts, renderNumbers } from './numbers.ts';
import { renderLatest, renderReason } from './operation-state.ts';

export interface SpaceCard {
  readonly space: Space;
  /** The live content; null until something was imported. */
  readonly live: { readonly oid: string | null; readonly at: string; readonly counts: Counts | null } | null;
  readonly lastOperation: GitOperation | null;
  /** Why pushes no longer reach it; null while they do. */
  readonly disconnected: string | null;
}

export interface HomeSection {
  readonly organization: { readonly id: string; readonly title: string };
  readonly spaces: readonly SpaceCard[];
  /** The address of the next spaces; null when there are no more. */
  readonly more: string | null;
}

/** All spaces that the reader may see, each with its live content and the outcome of its last sync. */
export function renderHome(options: {
  readonly sections: readonly HomeSection[];
  readonly user: { readonly displayName: string };
  readonly now: Date;
  /** Whether this server has its GitHub App. */
  readonly isConnected: boolean;
}): string {
  const { sections, now } = options;
  const empty = sections.every(({ spaces }) => spaces.length === 0);
  return renderLayout({
    title: 'Spaces',
    user: options.user,
    main: html`<div class="title-row"><h1>Spaces</h1>${sections.length === 1 ? sections.map(({ organization }) => renderOrganizationLink(organization)) : null}</div>
${options.isConnected ? null : unconnected}
${empty && options.isConnected ? nothing : null}
${empty && sections.length < 2 ? null : sections.map((section) => renderSection(section, sections.length > 1, now))}`,
  });
}

const unconnected = html`<div class="notice wait"><p><strong>This server has no GitHub App yet,</strong> so no push reaches it.</p>
<p><a class="button" href="${setupPath}">Set it up</a></p></div>`;

const nothing = html`<div class="empty"><p>There is no space yet.</p>
<p>Install the <a href="${setupPath}">GitHub App</a> on a repository: its docs become a space within a minute, or with the first push.</p>
<p><a href="${statusPath}">Status</a> shows the progress of each repository.</p></div>`;

/** Where the people and the settings of an organization are. */
function renderOrganizationLink({ id, title }: HomeSection['organization']): Markup {
  return html`<a class="button quiet" href="${organizationPath(id)}">${title}: people and settings</a>`;
}

function renderSection(section: HomeSection, hasTitle: boolean, now: Date): Markup | null {
  const { organization, spaces, more } = section;
  if (spaces.length === 0 && !hasTitle) return null;
  return html`<section aria-label="${organization.title}">
${hasTitle ? html`<div class="title-row section-title"><h2>${organization.title}</h2>${renderOrganizationLink(organization)}</div>` : null}
${
  spaces.length === 0
    ? html`<p class="soft">No space of it is open to you yet.</p>`
    : html`<ul class="cards">
${spaces.map((card) => renderCard(card, hasTitle, now))}
</ul>`
}
${more === null ? null : html`<p class="more"><a href="${more}">More spaces</a></p>`}
</section>`;
}

function renderCard(card: SpaceCard, nested: boolean, now: Date): Markup {
  const { space, live, lastOperation, disconnected } = card;
  const link = html`<a href="${spacePath(space.id)}">${space.emoji ? `${space.emoji} ` : null}${space.title}</a>`;
  return html`<li class="card">
<div class="card-head">${nested ? html`<h3>${link}</h3>` : html`<h2>${link}</h2>`}${renderLatest(lastOperation, disconnected)}</div>
<p class="small soft">${
    live === null
      ? 'Nothing is live yet.'
      : html`${live.oid === null ? 'Live' : html`${formatOid(live.oid)} is live`}, imported ${formatMoment(live.at, now)}${source(space)}`
  }</p>
${live?.counts ? renderNumbers(live.counts) : null}
${disconnected === null ? null : html`<p class="small foot">${disconnected}</p>`}
${lastOperation?.error ? html`<p class="small error foot">${renderReason(lastOperation)}</p>` : null}
</li>
`;
}

function source({ gitSync }: Space): Markup | null {
  return gitSync?.repoName ? html`<br>from ${gitSync.repoName}` : null;
}
