import type { ChangeRequest, PageLink, PageView } from '../../client/index.ts';
import type { OutlineEntry } from '../../content/render/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { editLinePath, editPath, pagePath, previewPath, sourceAddress } from '../addresses.ts';
import { formatMessage, plural } from '../format.ts';
import { findTrail, renderNavigation } from './navigation.ts';
import { renderNeighbours } from './neighbours.ts';
import { renderPreviewBar } from './preview-bar.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** A page with fewer headings needs no outline. */
const outlineFrom = 3;

/** In UTF-16 code units. */
const MAX_SOURCE_SHOWN = 100_000;

/** The sanitised body of a page, or its source with one sentence that says why it is not shown. */
export type RenderedBody =
  | {
      /** The heading at the beginning of the body; null when it begins with something else. */
      readonly title: Markup | null;
      readonly content: Markup;
      readonly hasTitle: boolean;
      readonly outline: readonly OutlineEntry[];
    }
  | { readonly problem: string; readonly source: string };

export interface PageFacts {
  readonly view: PageView;
  /** Whether the page belongs to a revision that is not live. */
  readonly isPreview?: boolean;
  /** The change request that proposes the revision of a preview. */
  readonly changeRequest?: Pick<ChangeRequest, 'number' | 'subject'>;
  readonly body: RenderedBody;
  readonly frame: SpaceFrame;
  /** The comments on the page, for those who may read them. */
  readonly comments?: Markup | null;
}

/** A page as readers see it, with the navigation of its space and the pages that link to it. */
export function renderPageView(facts: PageFacts): string {
  const { isPreview = false, frame } = facts;
  const { space, revision, navigation, page } = facts.view;
  const addressOf = addressIn(facts);
  const trail = findTrail(navigation, page.id);
  return renderSpacePage({
    ...frame,
    tab: 'content',
    title: `${isPreview ? 'Preview: ' : ''}${page.title}`,
    above: isPreview ? renderPreviewBar(space, revision, facts.changeRequest) : null,
    crumbs: [
      ...(isPreview ? [{ title: 'Preview', href: previewPath(space.id, revision.id) }] : []),
      ...trail.slice(0, -1).map(({ id, title, type }) => ({
        title,
        href: type === 'document' ? addressOf(id) : null,
      })),
      { title: page.title, href: null },
    ],
    main: html`<div class="beside">
<div>
${toPages}
${renderEdit(facts)}
<article class="content">
${renderBody(facts)}
</article>
${renderNeighbours({ pages: navigation, current: page.id, addressOf })}
${facts.comments}
<footer class="page-foot">
${renderBrokenLinks(facts)}
${renderBacklinks(facts)}
${renderSource(facts)}
</footer>
</div>
<div class="side"><div class="sticky">${renderNavigation({ pages: navigation, current: page.id, addressOf })}</div></div>
</div>`,
  });
}

/** For those who may propose changes; what a preview shows is edited in its repository. */
function renderEdit({ frame: { space }, view: { page }, isPreview = false }: PageFacts): Markup | null {
  if (isPreview || !space.permissions.edit || page.git === undefined) return null;
  return html`<p class="page-edit"><a class="button quiet" href="${editPath(space.id, page.git.path)}">Edit<span class="visually-hidden"> this page</span></a></p>`;
}

/** On small screens the list of pages is below the text. */
const toPages = html`<nav class="to-pages" aria-label="All pages"><a href="#docloom-pages">All pages</a></nav>`;

/** The address of a page of the same revision. */
function addressIn({ view: { space, revision }, isPreview = false }: PageFacts): (pageId: string) => string {
  return (pageId) => pagePath(space.id, pageId, isPreview ? revision.id : undefined);
}

/** The table of contents of a long page. */
function renderOutline(outline: readonly OutlineEntry[]): Markup | null {
  const entries = outline.filter(({ level }) => level === 2 || level === 3);
  if (entries.length < outlineFrom) return null;
  return html`
<details class="outline"><summary>On this page</summary>
<ul>
${entries.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${encodeURIComponent(id)}">${text}</a></li>\n`)}</ul>
</details>
`;
}

function renderBody({ view: { page }, body }: PageFacts): Markup {
  const title = html`<h1>${page.emoji ? `${page.emoji} ` : null}${page.title}</h1>`;
  if ('problem' in body)
    return html`${title}<p class="notice wait">${formatMessage(body.problem)}</p>${renderText(body.source)}`;
  return html`${body.hasTitle ? body.title : title}${renderOutline(body.outline)}${body.content}`;
}

/** The source of a page that is not rendered. */
function renderText(source: string): Markup {
  const shown = source.slice(0, MAX_SOURCE_SHOWN);
  const rest = source.length > shown.length;
  return html`<p class="soft small">${rest ? 'The beginning of its source' : 'Its source'}:</p>
<pre tabindex="0"><code>${shown}</code></pre>`;
}

function renderBrokenLinks(facts: PageFacts): Markup | null {
  const { count, items } = facts.view.brokenLinks;
  if (count === 0) return null;
  return html`<div class="notice bad"><p><strong>${plural(count, 'link')} of this page ${
    count === 1 ? 'is' : 'are'
  } broken.</strong></p>
<ul>
${items.map((link) => renderBrokenLink(link, facts))}</ul>
${count > items.length ? html`<p>… and ${count - items.length} more.</p>` : null}
</div>`;
}

/** The page's text may include other files. */
function renderBrokenLink(
  { targetReference, locationReferences, check }: PageLink,
  { frame: { space }, view: { page }, isPreview = false }: PageFacts,
): Markup {
  const { line, path } = locationReferences[0]?.position ?? {};
  const words = path === page.git?.path ? `Line ${line}` : `${path}, line ${line}`;
  const where =
    path !== undefined && !isPreview && space.permissions.edit
      ? html`<a href="${editLinePath(space.id, path, line)}">${words}</a>`
      : words;
  return html`<li>${line === undefined ? null : html`${where}: `}<code>${targetReference.url ?? ''}</code>. ${formatMessage(
    check.message ?? 'It leads nowhere.',
  )}${check.suggestion === undefined ? null : html` Did you mean <code>${check.suggestion}</code>?`}</li>
`;
}

function renderBacklinks(facts: PageFacts): Markup {
  const { navigation, page, backlinks } = facts.view;
  const addressOf = addressIn(facts);
  const linking = [...new Set(backlinks.items.flatMap((reference) => reference.page ?? []))].filter(
    (id) => id !== page.id,
  );
  if (linking.length === 0)
    return html`<h2>Linked from</h2><p class="soft small">No other page of this space links here.</p>`;
  return html`<h2>Linked from</h2>
<ul>
${linking.map((id) => html`<li><a href="${addressOf(id)}">${findTrail(navigation, id).at(-1)?.title ?? id}</a></li>\n`)}</ul>
${backlinks.count > backlinks.items.length ? html`<p class="soft small">${plural(backlinks.count, 'link')} lead here in all.</p>` : null}`;
}

function renderSource({ view: { space, revision, page }, isPreview = false }: PageFacts): Markup | null {
  if (!page.git) return null;
  const href = safeHref(
    sourceAddress(space, (isPreview ? revision.git?.oid : undefined) ?? 'HEAD', page.git.path),
  );
  const path = html`<code>${page.git.path}</code>`;
  return html`<p class="soft small">Source: ${href === null ? path : html`<a href="${href}">${path}</a>`}</p>`;
}
