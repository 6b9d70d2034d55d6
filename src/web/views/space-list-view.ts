import type { Collection, Organization, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { collectionPath, movePath, organizationPath, spacePath } from '../addresses.ts';
import { formatMoment, formatNumber, plural } from '../format.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';

/** Collections that a page shows. */
export interface ListedCollections {
  /** At most as many as the platform lists at once. */
  readonly items: readonly Collection[];
  /** How many there are. */
  readonly count: number;
  /** The address of the same page with the next ones; null where these are the last. */
  readonly more: string | null;
}

/** A collection with those inside it. */
interface Branch {
  readonly collection: Collection;
  readonly children: readonly Branch[];
}

const VISIBILITIES: Readonly<Record<Space['visibility'], string>> = {
  public: 'Public',
  unlisted: 'Unlisted',
  'share-link': 'Share link',
  'visitor-auth': 'Visitors who sign in',
  'in-collection': 'As its collection',
  private: 'Members',
};

export function nameVisibility(visibility: Space['visibility']): string {
  return VISIBILITIES[visibility];
}

/** The spaces of an organization, or of one of its collections, beside the tree of its collections. */
export function renderSpaceList(
  options: PageNews & {
    readonly organization: Organization;
    readonly collections: ListedCollections;
    /** The one that is open; null for all spaces. */
    readonly collection: Collection | null;
    readonly spaces: readonly Space[];
    readonly count: number;
    /** What their titles contain; empty for all. */
    readonly find: string;
    readonly more: string | null;
    readonly user: { readonly displayName: string };
    readonly now: Date;
  },
): string {
  const { organization, collections, collection, spaces, count, find, more, now } = options;
  const listed = collections.items;
  // The one that is open may be beyond those that are listed.
  const isListed = collection === null || listed.some(({ id }) => id === collection.id);
  const trail = collection === null ? [] : trailOf(listed, collection);
  return renderOrganizationPage({
    ...options,
    section: 'spaces',
    ...(collection === null ? {} : { title: collection.title }),
    crumbs: trail.slice(0, -1).map((above) => ({ title: above.title, href: collectionPath(above.id) })),
    actions: renderActions(organization, collection, siblingsOf(listed, collection)),
    main: html`<div class="list-beside">
<nav aria-label="Collections" class="card collections"><ul class="tree">
<li><a href="${organizationPath(organization.id, 'spaces')}"${collection === null ? html` aria-current="page"` : null} data-drop-into="">All spaces</a></li>
${treeOf(isListed ? listed : [...listed, collection]).map((branch) => renderBranch(branch, collection?.id ?? null))}</ul>
${renderMoreCollections(collections)}
<p class="small"><a href="${organizationPath(organization.id, 'trash')}">Deleted spaces</a></p></nav>
<div>
${collection?.description ? html`<p class="lead">${collection.description}</p>` : null}
${collection === null ? renderFilter(organization, find) : null}
${renderRows(options, count)}
${renderMore(more, 'More spaces')}
</div>
</div>`,
  });

  function renderRows({ collection: open }: typeof options, total: number): Markup {
    if (spaces.length === 0)
      return html`<div class="empty"><p>${find === '' ? 'There is no space here yet.' : html`No space is called “${find}”.`}</p></div>`;
    return html`<p class="small soft" role="status">${plural(total, 'space')}</p>
<ul class="plain list"${open === null ? null : html` data-sortable`}>
${spaces.map((space, at) => renderRow(space, { before: open === null ? null : (spaces[at - 1] ?? null), after: open === null ? null : (spaces[at + 1] ?? null), now }))}</ul>`;
  }
}

/** The collections directly before and after one among those in the same collection. */
interface Siblings {
  readonly before: Collection | null;
  readonly after: Collection | null;
}

function siblingsOf(listed: readonly Collection[], collection: Collection | null): Siblings {
  const among = listed.filter(({ parent }) => parent === collection?.parent);
  const at = among.findIndex(({ id }) => id === collection?.id);
  if (at === -1) return { before: null, after: null };
  return { before: among[at - 1] ?? null, after: among[at + 1] ?? null };
}

/** A form that moves a collection by one, and leads back to it. */
function renderCollectionShift(
  { id, title }: Collection,
  where: 'before' | 'after',
  neighbour: Collection | null,
): Markup | null {
  if (neighbour === null) return null;
  const words = where === 'before' ? 'up' : 'down';
  return html`<form method="post" action="${movePath('collection', id)}"><input type="hidden" name="${where}-collection" value="${neighbour.id}"><input type="hidden" name="stay" value="yes"><button class="quiet" type="submit"><span aria-hidden="true">${where === 'before' ? '↑' : '↓'}</span><span class="visually-hidden">Move ${title} ${words}</span></button></form>`;
}

function renderActions(
  organization: Organization,
  collection: Collection | null,
  { before, after }: Siblings,
): Markup | null {
  const mayCreate = collection?.permissions.create ?? organization.permissions.createContent;
  const into = collection === null ? '' : `?parent=${encodeURIComponent(collection.id)}`;
  if (!mayCreate && collection?.permissions.admin !== true) return null;
  return html`<div class="buttons">
${collection?.permissions.admin ? html`${renderCollectionShift(collection, 'before', before)}${renderCollectionShift(collection, 'after', after)}<a class="button quiet" href="${collectionPath(collection.id, 'settings')}">Collection settings</a>` : null}
${mayCreate ? html`<a class="button quiet" href="${organizationPath(organization.id, 'collections/new')}${into}">New collection</a><a class="button" href="${organizationPath(organization.id, 'spaces/new')}${into}">New space</a>` : null}
</div>`;
}

function renderFilter({ id }: Organization, find: string): Markup {
  return html`<form class="filter list-filter" action="${organizationPath(id, 'spaces')}">
<div class="field"><label class="visually-hidden" for="docloom-find">Filter by title</label>
<input id="docloom-find" name="find" type="search" value="${find}" placeholder="Filter by title" maxlength="100" autocomplete="off"></div>
<button class="quiet" type="submit">Filter</button>
</form>`;
}

function renderRow(
  space: Space,
  { before, after, now }: { readonly before: Space | null; readonly after: Space | null; readonly now: Date },
): Markup {
  const { id, title, emoji, permissions, gitSync, changeRequestsOpen, updatedAt, visibility } = space;
  return html`<li class="list-row"${permissions.admin ? html` data-drag="${movePath('space', id)}"` : null} data-space="${id}">
<span class="list-icon" aria-hidden="true">${emoji ?? '◇'}</span>
<div class="list-main"><a href="${spacePath(id)}">${title}</a>
<p class="small soft">${[nameVisibility(visibility), gitSync?.repoName].filter((one) => one !== undefined).join(' · ')}${
    changeRequestsOpen === 0
      ? null
      : html` · <a href="${spacePath(id)}">${formatNumber(changeRequestsOpen)} open change ${changeRequestsOpen === 1 ? 'request' : 'requests'}</a>`
  }</p></div>
<span class="small soft list-time">${formatMoment(updatedAt, now)}</span>
${
  permissions.admin
    ? html`<div class="list-actions">${before === null ? null : renderShift(id, title, 'before', before)}${after === null ? null : renderShift(id, title, 'after', after)}<a class="button quiet" href="${movePath('space', id)}">Move<span class="visually-hidden"> ${title}</span></a></div>`
    : null
}
</li>
`;
}

/** A form that moves a space by one. */
function renderShift(id: string, title: string, where: 'before' | 'after', neighbour: Space): Markup {
  const words = where === 'before' ? 'up' : 'down';
  return html`<form method="post" action="${movePath('space', id)}"><input type="hidden" name="${where}" value="${neighbour.id}"><button class="quiet" type="submit"><span aria-hidden="true">${where === 'before' ? '↑' : '↓'}</span><span class="visually-hidden">Move ${title} ${words}</span></button></form>`;
}

function renderBranch({ collection, children }: Branch, current: string | null): Markup {
  const { id, title, parent, permissions } = collection;
  const drag = permissions.admin ? html` data-drag="${movePath('collection', id)}"` : null;
  return html`<li><a href="${collectionPath(id)}"${id === current ? html` aria-current="page"` : null} data-drop-into="${id}" data-parent="${parent ?? ''}"${drag}>${title}</a>${
    children.length === 0 ? null : html`<ul>${children.map((child) => renderBranch(child, current))}</ul>`
  }</li>
`;
}

/** Collections whose parent the reader does not see stand at the top. */
function treeOf(collections: readonly Collection[]): readonly Branch[] {
  const known = new Set(collections.map(({ id }) => id));
  const byParent = Map.groupBy(collections, ({ parent }) =>
    parent === undefined || !known.has(parent) ? '' : parent,
  );
  const below = (parent: string): readonly Branch[] =>
    (byParent.get(parent) ?? []).map((collection) => ({ collection, children: below(collection.id) }));
  return below('');
}

/** Says that there are more collections than are shown, and leads to the next ones. */
export function renderMoreCollections({ items, count, more }: ListedCollections): Markup | null {
  if (items.length >= count) return null;
  return html`<p class="small soft">${formatNumber(items.length)} of ${plural(count, 'collection')} are shown.</p>
${renderMore(more, 'More collections')}`;
}

/** From the top down to this collection. */
function trailOf(collections: readonly Collection[], last: Collection): readonly Collection[] {
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const trail = [last];
  for (let parent = byId.get(last.parent ?? ''); parent && !trail.includes(parent); ) {
    trail.unshift(parent);
    parent = byId.get(parent.parent ?? '');
  }
  return trail;
}

/** Collections for a choice, each indented below its parent. The one chosen so far stays a choice where another part is listed. */
export function collectionOptions(
  { items, count }: ListedCollections,
  {
    top,
    chosen,
    isOffered,
  }: {
    readonly top: string;
    readonly chosen: string;
    readonly isOffered: (collection: Collection) => boolean;
  },
): readonly { readonly value: string; readonly label: string }[] {
  const list = (branches: readonly Branch[], depth: number): { value: string; label: string }[] =>
    branches.flatMap(({ collection, children }) => [
      { value: collection.id, label: `${'\u00a0\u00a0'.repeat(depth)}${collection.title}` },
      ...list(children, depth + 1),
    ]);
  const isElsewhere = chosen !== '' && items.length < count && !items.some(({ id }) => id === chosen);
  return [
    { value: '', label: top },
    ...(isElsewhere ? [{ value: chosen, label: 'The collection chosen so far' }] : []),
    ...list(treeOf(items.filter(isOffered)), 0),
  ];
}
