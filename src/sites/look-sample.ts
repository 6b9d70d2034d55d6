import { html } from '../markup/index.ts';
import { composeLook, NOTHING_KNOWN, type SiteCustomization } from '../platform/index.ts';
import { chosenFrame, lookOf, pictureOrigins } from './choose-look.ts';
import { picturePolicy } from './security-headers.ts';
import { ownPage } from './views/own-page.ts';
import { renderPicture } from './views/render-site-page.ts';
import type { ShownPage, SiteFrame } from './views/site-page.ts';

/** A look that nobody needs to have saved. */
interface LookSample {
  /** Of the site, where the look has none. */
  readonly title: string;
  /** As `updateSiteCustomization` takes it, and valid. */
  readonly choice: Readonly<Record<string, unknown>>;
  readonly theme: 'light' | 'dark';
  /** What the bar above it says. */
  readonly note: string;
}

/** Nothing on a sample leads anywhere. */
const NOWHERE = '#docloom-main';

/** A page in the look of a site with words of ours: of what people wrote, it only has what belongs to the look. */
export function renderLookSample({ title, choice, theme, note }: LookSample): {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const look = composeLook(choice);
  const frame: SiteFrame = {
    title: look.title ?? title,
    homeHref: NOWHERE,
    assetsHref: '/',
    language: 'en',
    ...chosenFrame(look, () => NOWHERE, NOTHING_KNOWN),
    look: lookOf(look),
    sections: [],
    variants: [],
    languages: [],
    navigation: ['Welcome', 'First steps', 'Guides', 'Reference'].map((page, at) => ({
      title: page,
      emoji: null,
      href: NOWHERE,
      isExternal: false,
      isCurrent: at === 1,
      isOpen: false,
      items: [],
      hasMore: false,
    })),
    searchHref: NOWHERE,
    searchFrom: '',
    bar: { message: note, href: null, label: '', changes: null },
    feeds: [],
  };
  const text = renderPicture({ frame, page: samplePage(look) }, theme);
  return { html: text, headers: picturePolicy(text, pictureOrigins(frame)) };
}

function samplePage({ pageActions, pdf, git, feedback }: SiteCustomization): ShownPage {
  return ownPage({
    id: 'sample',
    title: 'First steps',
    description: 'How headings, links, buttons and notes look.',
    body,
    trail: [{ title: 'Guides', href: NOWHERE }],
    previous: { title: 'Welcome', href: NOWHERE },
    next: { title: 'Reference', href: NOWHERE },
    layout: { hasOutline: false, hasPagination: true },
    feedback: feedback.enabled ? { href: NOWHERE, spaceId: '', pageId: '' } : null,
    editHref: git.showEditLink ? NOWHERE : null,
    actions: {
      hasMarkdown: pageActions.markdown,
      mcpHref: pageActions.mcp ? NOWHERE : null,
      printHrefs: { section: null, site: pdf.enabled ? NOWHERE : null },
      assistants: pageActions.externalAI ? [{ name: 'an assistant', href: NOWHERE }] : [],
    },
    markdownHref: NOWHERE,
    canonical: NOWHERE,
  });
}

/** As pages are rendered that authors write. */
const body = html`<p>A paragraph has <strong>strong words</strong>, <a href="${NOWHERE}">a link</a> and <code>code</code>.</p>
<p><a class="button" href="${NOWHERE}">Start</a> <a class="button secondary" href="${NOWHERE}">Read more</a></p>
<div class="hint hint-info"><p class="hint-title">Good to know</p><p>Notes stand out, and have <a href="${NOWHERE}">links</a>, too.</p></div>
<div class="hint hint-warning"><p>A warning looks like this.</p></div>
<h2 id="in-code">In code</h2>
<pre><code>docs publish --to production</code></pre>
<blockquote><p>What somebody else said.</p></blockquote>
<table><thead><tr><th>Setting</th><th>Meaning</th></tr></thead><tbody><tr><td><code>color</code></td><td>of links and buttons</td></tr><tr><td><code>corners</code></td><td>of boxes and buttons</td></tr></tbody></table>`;
