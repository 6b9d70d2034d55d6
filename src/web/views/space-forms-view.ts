import type { Collection, Organization, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { collectionPath, movePath, organizationPath, spacePath } from '../addresses.ts';
import { formatMoment } from '../format.ts';
import { renderMore } from './more-link.ts';
import { type PageNews, renderOrganizationPage } from './organization-frame.ts';
import { levelOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { collectionOptions, type ListedCollections, renderMoreCollections } from './space-list-view.ts';
import { textInput } from './text-input.ts';

interface Form extends PageNews {
  readonly organization: Organization;
  readonly collections: ListedCollections;
  readonly user: { readonly displayName: string };
}

/** A form for a new space or a new collection. */
export function renderNewPlace(
  options: Form & {
    readonly kind: 'space' | 'collection';
    readonly values: { readonly title: string; readonly emoji: string; readonly parent: string };
  },
): string {
  const { organization, collections, kind, values } = options;
  const plural = kind === 'space' ? 'spaces' : 'collections';
  return renderOrganizationPage({
    ...options,
    section: 'spaces',
    title: kind === 'space' ? 'New space' : 'New collection',
    main: html`<form class="card reading" method="post" action="${organizationPath(organization.id, `${plural}/new`)}">
${titleInput(values.title)}
${kind === 'space' ? emojiInput(values.emoji) : null}
${parentInput(collections, values.parent, organization.permissions.createContent)}
${renderMoreCollections(collections)}
<div class="buttons"><button type="submit">Create</button><a href="${organizationPath(organization.id, 'spaces')}">Cancel</a></div>
</form>`,
  });
}

export function titleInput(value: string): Markup {
  return textInput({
    id: 'docloom-title',
    name: 'title',
    label: 'Title',
    type: 'text',
    autocomplete: 'off',
    maxLength: 256,
    value,
  });
}

export function emojiInput(value: string): Markup {
  return textInput({
    id: 'docloom-emoji',
    name: 'emoji',
    label: 'Emoji',
    type: 'text',
    autocomplete: 'off',
    maxLength: 32,
    value,
    isOptional: true,
    hint: 'Stands before the title in lists.',
  });
}

function parentInput(collections: ListedCollections, selected: string, withTop: boolean): Markup {
  return selectInput({
    id: 'docloom-parent',
    name: 'parent',
    label: 'Collection',
    options: collectionOptions(collections, {
      top: 'No collection',
      chosen: selected,
      isOffered: ({ permissions }) => permissions.create,
    }).slice(withTop ? 0 : 1),
    selected,
  });
}

/** Where a space or a collection goes. */
export function renderMove(
  options: Form & {
    readonly kind: 'space' | 'collection';
    readonly moved: { readonly id: string; readonly title: string; readonly parent?: string };
    readonly selected: string;
  },
): string {
  const { collections, kind, moved, selected } = options;
  return renderOrganizationPage({
    ...options,
    section: 'spaces',
    title: `Move “${moved.title}”`,
    main: html`<form class="card reading" method="post" action="${movePath(kind, moved.id)}">
<input type="hidden" name="into" value="yes">
${selectInput({
  id: 'docloom-parent',
  name: 'parent',
  label: 'Into',
  options: collectionOptions(collections, {
    top: 'The top of the organization',
    chosen: selected,
    isOffered: ({ id }) => id !== moved.id,
  }),
  selected,
  hint: 'It goes to the end there. Who has access may change: levels and grants of a collection count for everything inside it.',
})}
${renderMoreCollections(collections)}
<div class="buttons"><button type="submit">Move</button><a href="${kind === 'space' ? spacePath(moved.id) : collectionPath(moved.id)}">Cancel</a></div>
</form>`,
  });
}

/** What administrators change of a collection. */
export function renderCollectionSettings(
  options: Omit<Form, 'collections'> & { readonly collection: Collection },
): string {
  const { collection } = options;
  const { id, title, description, defaultLevel, parent } = collection;
  return renderOrganizationPage({
    ...options,
    section: 'spaces',
    title: 'Collection settings',
    crumbs: [{ title, href: collectionPath(id) }],
    main: html`<div class="reading">
<form class="card" method="post" action="${collectionPath(id, 'settings')}">
${titleInput(title)}
${textInput({
  id: 'docloom-description',
  name: 'description',
  label: 'Description',
  type: 'text',
  autocomplete: 'off',
  maxLength: 1024,
  value: description ?? '',
  isOptional: true,
})}
${selectInput({
  id: 'docloom-level',
  name: 'defaultLevel',
  label: 'Level of all members in it',
  options: levelOptions(),
  selected: defaultLevel,
  hint: 'Everybody in the organization has at least this role in everything inside it.',
})}
<button type="submit">Save</button>
</form>
<p class="buttons"><a class="button quiet" href="${movePath('collection', id)}">Move it</a><a class="button quiet" href="/collections/${id}/access">Who has access</a></p>
<form class="card" method="post" action="${collectionPath(id, 'delete')}">
<h2>Delete this collection</h2>
<p>Its spaces and collections stay, and move up${parent === undefined ? ' to the top of the organization' : ' into the collection above'}.</p>
<button class="danger" type="submit">Delete the collection</button>
</form></div>`,
  });
}

/** Spaces that were deleted and can be restored. */
export function renderTrash(
  options: Omit<Form, 'collections'> & {
    readonly spaces: readonly Space[];
    readonly more: string | null;
    readonly now: Date;
  },
): string {
  const { spaces, more, now } = options;
  return renderOrganizationPage({
    ...options,
    section: 'spaces',
    title: 'Deleted spaces',
    main: html`<p class="lead">A deleted space can be restored for 7 days. After that its content is gone; its repository is never touched.</p>
${
  spaces.length === 0
    ? html`<div class="empty"><p>No space was deleted within the last 7 days.</p></div>`
    : html`<ul class="plain list">
${spaces.map(
  ({ id, title, emoji, deletedAt }) =>
    html`<li class="list-row"><span class="list-icon" aria-hidden="true">${emoji ?? '◇'}</span><div class="list-main"><strong>${title}</strong>
<p class="small soft">Deleted ${deletedAt === undefined ? null : formatMoment(deletedAt, now)}</p></div>
<form method="post" action="${spacePath(id)}/restore"><button class="quiet" type="submit">Restore<span class="visually-hidden"> ${title}</span></button></form></li>
`,
)}</ul>`
}
${renderMore(more, 'More spaces')}`,
  });
}
