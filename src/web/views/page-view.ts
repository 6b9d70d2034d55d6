import type { Link, Page, Reference, Revision, Space } from '../../client/index.ts';
import type { OutlineEntry } from '../../content/render/index.ts';
import { homePath, pagePath, previewPath, sourceAddress, spacePath } from '../addresses.ts';
import { plural } from '../format.ts';
import { html, type Markup, safeHref } from '../html.ts';
import { renderLayout } from '../layout.ts';
import { findTrail, renderNavigation } from './navigation.ts';
import { renderNeighbours } from './neighbours.ts';
import { renderPreviewBar } from './preview-bar.ts';
import { renderSpaceBar } from './space-bar.ts';

/** More of them on one page are counted only; the space's page lists all. */
const brokenShown = 20;

/** A page with fewer headings than this is seen at a glance. */
const outlineFrom = 3;

export interface PageFacts {
  readonly space: Space;
  /** The revision that the page is of, where that is not what is live. */
  readonly preview?: Revision;
  readonly pages: readonly Page[];
  readonly page: Page;
  /** The body, sanitised, or the sentence why it is not shown. */
  readonly body:
    | {
        /** The heading that the body begins with; null when it begins with something else. */
        readonly title: Markup | null;
        readonly content: Markup;
        readonly hasTitle: boolean;
        readonly outline: readonly OutlineEntry[];
      }
    | { readonly problem: string };
  readonly brokenLinks: readonly Link[];
  readonly backlinks: { readonly items: readonly Reference[]; readonly count: number };
  readonly user: { readonly displayName: string };
}

/** One page as readers see it, with its place in the space and the pages that link to it. */
export function renderPageView(facts: PageFacts): string {
  const { space, preview, pages, page, user } = facts;
  const trail = findTrail(pages, page.id);
  return renderLayout({
    title: `${preview === undefined ? '' : 'Preview: '}${page.title} · ${space.title}`,
    user,
    above: html`${preview === undefined ? null : renderPreviewBar(space, preview)}${renderSpaceBar({
      space,
      crumbs: [
        { title: 'Spaces', href: homePath },
        { title: space.title, href: spacePath(space.id) },
        ...(preview === undefined ? [] : [{ title: 'Preview', href: previewPath(space.id, preview.id) }]),
        ...trail.slice(0, -1).map((one) => ({
          title: one.title,
          href: one.type === 'document' ? pagePath(space.id, one.id, preview?.id) : null,
        })),
        { title: page.title, href: null },
      ],
    })}`,
    main: html`<div class="beside">
<div>
<article class="content">
${renderBody(facts)}
</article>
${renderNeighbours({ pages, current: page.id, addressOf: (id) => pagePath(space.id, id, preview?.id) })}
<footer class="page-foot">
${renderBrokenNote(facts)}
${renderBacklinks(facts)}
${renderSource(facts)}
</footer>
</div>
<div class="side"><div class="sticky">${renderNavigation({ spaceId: space.id, ...(preview && { revisionId: preview.id }), pages, current: page.id })}</div></div>
</div>`,
  });
}

/** What is on the page, where that is more than a look tells. */
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

function renderBody({ page, body }: PageFacts): Markup {
  const title = html`<h1>${page.emoji ? `${page.emoji} ` : null}${page.title}</h1>`;
  if ('problem' in body) return html`${title}<p class="notice wait">${body.problem}</p>`;
  return html`${body.hasTitle ? body.title : title}${renderOutline(body.outline)}${body.content}`;
}

function renderBrokenNote({ brokenLinks, page }: PageFacts): Markup | null {
  if (brokenLinks.length === 0) return null;
  const shown = brokenLinks.slice(0, brokenShown);
  return html`<div class="notice bad"><p><strong>${plural(brokenLinks.length, 'link')} of this page ${
    brokenLinks.length === 1 ? 'is' : 'are'
  } broken.</strong></p>
<ul>
${shown.map((link) => renderBrokenLink(link, page.git?.path))}</ul>
${brokenLinks.length > shown.length ? html`<p>… and ${brokenLinks.length - shown.length} more.</p>` : null}
</div>`;
}

/** `own` is the page's file; other files may stand in its text. */
function renderBrokenLink(
  { targetReference, locationReferences, check }: Link,
  own: string | undefined,
): Markup {
  const { line, path } = locationReferences[0]?.position ?? {};
  return html`<li>${line === undefined ? null : path === own ? `Line ${line}: ` : `${path}, line ${line}: `}<code>${targetReference.url ?? ''}</code>. ${
    check.message ?? 'It leads nowhere.'
  }${check.suggestion === undefined ? null : html` Did you mean <code>${check.suggestion}</code>?`}</li>
`;
}

function renderBacklinks({ space, preview, pages, page, backlinks }: PageFacts): Markup {
  const linking = [...new Set(backlinks.items.flatMap((one) => one.page ?? []))].filter(
    (id) => id !== page.id,
  );
  if (linking.length === 0)
    return html`<h2>Linked from</h2><p class="soft small">No other page of this space links here.</p>`;
  return html`<h2>Linked from</h2>
<ul>
${linking.map((id) => html`<li><a href="${pagePath(space.id, id, preview?.id)}">${findTrail(pages, id).at(-1)?.title ?? id}</a></li>\n`)}</ul>
${backlinks.count > backlinks.items.length ? html`<p class="soft small">${plural(backlinks.count, 'link')} lead here in all.</p>` : null}`;
}

function renderSource({ space, preview, page }: PageFacts): Markup | null {
  if (!page.git) return null;
  const href = safeHref(sourceAddress(space, preview?.git?.oid ?? 'HEAD', page.git.path));
  const path = html`<code>${page.git.path}</code>`;
  return html`<p class="soft small">Source: ${href === null ? path : html`<a href="${href}">${path}</a>`}</p>`;
}
