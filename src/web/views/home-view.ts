import { html, type Markup } from '../../markup/index.ts';
import { organizationPath, setupPath, statusPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { type Needs, renderNeeds } from './needs-view.ts';
import { renderCard, type SpaceCard } from './space-card.ts';

export interface HomeSection {
  readonly organization: { readonly id: string; readonly title: string };
  readonly spaces: readonly SpaceCard[];
  /** The address of the next spaces; null when there are no more. */
  readonly more: string | null;
}

/** What needs the reader, and all spaces that they may see, each with its live content and the outcome of its last sync. */
export function renderHome(options: {
  readonly sections: readonly HomeSection[];
  readonly needs: Needs;
  readonly user: { readonly displayName: string };
  readonly now: Date;
  /** Whether this server has its GitHub App. */
  readonly isConnected: boolean;
}): string {
  const { sections, needs, now } = options;
  const empty = sections.every(({ spaces }) => spaces.length === 0);
  return renderLayout({
    title: 'Spaces',
    user: options.user,
    main: html`<div class="title-row"><h1>Spaces</h1>${sections.length === 1 ? sections.map(({ organization }) => renderOrganizationLink(organization)) : null}</div>
${options.isConnected ? null : unconnected}
${renderNeeds(
  needs,
  sections.flatMap(({ spaces }) => spaces),
  now,
)}
${empty && options.isConnected ? nothing : null}
${empty && sections.length < 2 ? null : sections.map((section) => renderSection(section, sections.length > 1, now))}`,
  });
}

const unconnected = html`<div class="notice wait"><p><strong>This server has no GitHub App yet,</strong> so no push reaches it.</p>
<p><a class="button" href="${setupPath}">Set it up</a></p></div>`;

const nothing = html`<div class="empty"><p>There is no space yet.</p>
<p>Install the <a href="${setupPath}">GitHub App</a> on a repository: its docs become a space within a minute, or with the first push.</p>
<p><a href="${statusPath}">Status</a> shows the progress of each repository.</p></div>`;

/** Where all else of an organization is. */
function renderOrganizationLink({ id, title }: HomeSection['organization']): Markup {
  return html`<a class="button quiet" href="${organizationPath(id)}">${title}: sites, people and settings</a>`;
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
