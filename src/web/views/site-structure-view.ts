import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { sitePath, spacePath } from '../addresses.ts';
import type { PageNews } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { type ManagedSiteFrame, renderManagedSitePage } from './site-frame.ts';
import { type OfferedSpaces, renderSpaceSearch, spaceInput } from './site-list-view.ts';
import { textInput } from './text-input.ts';

type Item = SiteSection | SiteSectionGroup | SiteSpace;

/** What a site shows: its sections in groups, each with its variants; forms to add, change and move them. */
export function renderSiteStructure(
  options: ManagedSiteFrame &
    PageNews & {
      readonly structure: SiteStructure;
      /** Spaces that may be added; null for readers who may not change it. */
      readonly offered: OfferedSpaces | null;
    },
): string {
  const { site, organization, structure, offered } = options;
  const { edit } = site.permissions;
  const path = (part: string) => sitePath(organization.id, site.id, `structure/${part}`);
  const items: readonly Item[] = structure.structure;
  return renderManagedSitePage({
    ...options,
    tab: 'structure',
    main: html`<p class="lead">${structure.type === 'sections' ? 'Sections are the tabs of the site; each has one or more variants, such as versions or languages.' : 'A site without sections shows its first space; others are variants of it, such as versions or languages.'}</p>
${items.length === 0 ? html`<div class="empty"><p>The site shows no space yet.</p></div>` : renderItems(items, { path, edit })}
${
  edit && offered !== null && (offered.count > 0 || offered.find !== '')
    ? html`<div class="after">${renderSpaceSearch(offered, sitePath(organization.id, site.id, 'structure'))}</div>
<div class="side-by-side after">
<form class="card" method="post" action="${path('variants')}">
<h3>Add a variant</h3>
${spaceInput(offered.spaces, '')}
${structure.type === 'sections' ? sectionInput(items) : null}
<button type="submit">Add the variant</button>
</form>
<form class="card" method="post" action="${path('sections')}">
<h3>Add a section</h3>
${spaceInput(offered.spaces, '', 'docloom-section-space')}
${textInput({ id: 'docloom-title', name: 'title', label: 'Title', type: 'text', autocomplete: 'off', maxLength: 128, isOptional: true, hint: 'That of the space where it is empty.' })}
<button type="submit">Add the section</button>
</form>
${
  structure.type === 'sections'
    ? html`<form class="card" method="post" action="${path('groups')}">
<h3>Add a group</h3>
${textInput({ id: 'docloom-group', name: 'title', label: 'Title', type: 'text', autocomplete: 'off', maxLength: 100 })}
<button type="submit">Add the group</button>
</form>`
    : null
}
</div>`
    : null
}`,
  });
}

interface Look {
  readonly path: (part: string) => string;
  readonly edit: boolean;
}

function renderItems(items: readonly Item[], look: Look): Markup {
  return html`<ul class="plain list">
${items.map((item, at) => renderItem(item, items[at - 1], items[at + 1], look))}</ul>`;
}

function renderItem(item: Item, before: Item | undefined, after: Item | undefined, look: Look): Markup {
  const moves = look.edit
    ? html`<div class="list-actions">${before ? renderShift(item, 'before', before, look) : null}${after ? renderShift(item, 'after', after, look) : null}<a class="button quiet" href="${look.path(`${kindOf(item)}/${item.id}`)}">Change<span class="visually-hidden"> ${item.title}</span></a></div>`
    : null;
  return html`<li class="list-row">
<div class="list-main">${item.object === 'site-space' ? html`<a href="${spacePath(item.space.id)}">${item.title}</a>` : html`<strong>${item.title}</strong>`}
<p class="small soft">${describe(item)}</p></div>${moves}
${item.object === 'site-section-group' ? html`<div class="list-below">${renderItems(item.children, look)}</div>` : null}
${item.object === 'site-section' ? html`<div class="list-below">${renderItems(item.siteSpaces, look)}</div>` : null}
</li>
`;
}

function describe(item: Item): Markup | string {
  if (item.object === 'site-section-group') return 'Group of sections';
  const kind = item.object === 'site-section' ? 'Section' : 'Variant';
  return html`${kind} at <code>${item.default ? '/' : `/${item.path}`}</code>${item.default ? ', the default' : null}${
    item.condition === undefined ? null : html`, where <code>${item.condition}</code>`
  }`;
}

const KINDS = {
  'site-section-group': 'groups',
  'site-section': 'sections',
  'site-space': 'variants',
} as const;

function kindOf(item: Item): (typeof KINDS)[keyof typeof KINDS] {
  return KINDS[item.object];
}

/** A form that moves something beside its neighbour. */
function renderShift(item: Item, where: 'before' | 'after', neighbour: Item, { path }: Look): Markup {
  return html`<form method="post" action="${path('move')}">
<input type="hidden" name="type" value="${item.object}"><input type="hidden" name="id" value="${item.id}">
<input type="hidden" name="besideType" value="${neighbour.object}"><input type="hidden" name="besideId" value="${neighbour.id}"><input type="hidden" name="where" value="${where}">
<button class="quiet" type="submit"><span aria-hidden="true">${where === 'before' ? '↑' : '↓'}</span><span class="visually-hidden">Move ${item.title} ${where === 'before' ? 'up' : 'down'}</span></button></form>`;
}

/** The sections of a structure, also those in groups. */
export function sectionsOf(items: readonly Item[]): readonly SiteSection[] {
  return items.flatMap((item) =>
    item.object === 'site-section'
      ? [item]
      : item.object === 'site-section-group'
        ? sectionsOf(item.children)
        : [],
  );
}

function sectionInput(items: readonly Item[]): Markup {
  const sections = sectionsOf(items);
  return selectInput({
    id: 'docloom-section',
    name: 'section',
    label: 'Section',
    options: sections.map(({ id, title }) => ({ value: id, label: title })),
    selected: sections.find(({ default: isDefault }) => isDefault)?.id ?? null,
  });
}

/** One section, group or variant, with what can be changed of it. */
export function renderStructureItem(options: ManagedSiteFrame & PageNews & { readonly item: Item }): string {
  const { site, organization, item } = options;
  const path = sitePath(organization.id, site.id, `structure/${kindOf(item)}/${item.id}`);
  return renderManagedSitePage({
    ...options,
    tab: 'structure',
    main: html`<div class="reading">
<p><a href="${sitePath(organization.id, site.id, 'structure')}">Back to the structure</a></p>
<form class="card" method="post" action="${path}">
<h3>${item.title}</h3>
${item.object === 'site-space' ? null : textInput({ id: 'docloom-title', name: 'title', label: 'Title', type: 'text', autocomplete: 'off', maxLength: 128, value: item.title })}
${
  item.object === 'site-section-group'
    ? null
    : html`${textInput({ id: 'docloom-path', name: 'path', label: 'Path', type: 'text', autocomplete: 'off', maxLength: 100, value: item.path, hint: 'The part of its address. The default one is at an address without it.' })}
${textInput({ id: 'docloom-condition', name: 'condition', label: 'Condition', type: 'text', autocomplete: 'off', maxLength: 1024, value: item.condition ?? '', isOptional: true, hint: html`It is there only for visitors for whom this is true, such as <code>visitor.claims.plan == "pro"</code>; empty for everybody.` })}`
}
<button type="submit">Save</button>
</form>
<div class="buttons">
${item.object === 'site-space' && site.permissions.edit ? html`<a class="button quiet" href="${path}/look">Change its look</a>` : null}
${item.object === 'site-section-group' || item.default ? null : html`<form method="post" action="${path}/default"><button class="quiet" type="submit">Make it the default</button></form>`}
<form method="post" action="${path}/remove"><button class="quiet" type="submit">Remove it from the site</button></form>
</div>
<p class="small soft">Spaces stay when they are removed from a site.</p>
</div>`,
  });
}
