import type { Revision } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { editTreePath, pagePath } from '../addresses.ts';
import { plural } from '../format.ts';
import { countPages, renderNavigation } from './navigation.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** The live pages of a space as a tree. */
export function renderContent(options: {
  readonly frame: SpaceFrame;
  /** Null until something was imported. */
  readonly revision: Revision | null;
}): string {
  const { frame, revision } = options;
  const pages = revision?.pages ?? [];
  return renderSpacePage({
    ...frame,
    tab: 'content',
    main: html`<div class="reading"><h1>Content</h1>
${
  revision === null
    ? html`<p class="lead">Nothing is live yet. The first import puts the pages here.</p>`
    : html`<p class="lead">${plural(countPages(pages), 'page')} and ${plural(revision.files.length, 'file')} are live.${frame.space.permissions.edit ? html` <a href="${editTreePath(frame.space.id)}">Edit, create, move or delete pages</a>` : null}</p>
${renderNavigation({ pages, current: null, addressOf: (id) => pagePath(frame.space.id, id) })}`
}</div>`,
  });
}

/** A revision that has nothing to read: of a new space, or one whose pages were all deleted. */
export function renderWithoutPages(frame: SpaceFrame): string {
  return renderSpacePage({
    ...frame,
    tab: 'content',
    main: html`<div class="reading"><h1>Content</h1><p class="lead">This revision has no pages.</p></div>`,
  });
}
