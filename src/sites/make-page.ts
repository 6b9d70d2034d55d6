import {
  isOwnAddress,
  type PageWithTargets,
  type SiteCustomization,
  type SiteServing,
} from '../platform/index.ts';
import { chosenLook } from './choose-look.ts';
import { languageFolderOf } from './content/folder-languages.ts';
import { linkedPage } from './content/language-links.ts';
import { languageNavigation } from './content/language-navigation.ts';
import { ancestorsOf, hasText, type IndexedPage } from './content/page-index.ts';
import type { PageElsewhere } from './content/pages-elsewhere.ts';
import { renderSiteBody, type SpaceAddresses } from './content/render-site-body.ts';
import { requestOrigins } from './content/request-origins.ts';
import { languageAt, languagePart, textSourceOf } from './content/untranslated-pages.ts';
import { locationsOf } from './locate-path.ts';
import { type FrameInput, hrefOfPage, isOwnEntry, makeFrame, openEntry } from './make-frame.ts';
import { pageMetadata } from './page-metadata.ts';
import type { ServedSite } from './served-sites.ts';
import { pageCard } from './social/page-card.ts';
import { canDraw, cardDigest } from './social/social-card.ts';
import { repositoryOf, spaceAddresses } from './space-addresses.ts';
import type { PageActions, ShownPage, SitePage, SitePageLink } from './views/site-page.ts';

/** What a page of a site is made from. */
export interface PageInput extends FrameInput {
  readonly page: IndexedPage;
  readonly published: PageWithTargets;
  readonly platform: SiteServing;
  /** The pages of other spaces to which it links, by the addresses of their files. */
  readonly elsewhere: ReadonlyMap<string, PageElsewhere>;
}

export async function makePage(input: PageInput): Promise<SitePage> {
  return { frame: makeFrame(input), page: await makeShownPage(input) };
}

async function makeShownPage(input: PageInput): Promise<ShownPage> {
  const { content, page, published, location, addresses } = input;
  const { row } = page;
  const { untranslated = null } = input;
  const ofSource = { ...input, ...textSourceOf(input) };
  const ownPath = untranslated?.path ?? row.path;
  const ownAddresses = spaceAddresses(ofSource, (id, fragment) => {
    const linked = linkedPage(content, input, id);
    if (linked === null) return null;
    const href = addresses.below(location.siteSpace.path, linked.path);
    return linked.hasSameHeadings ? href + fragment : href;
  });
  const layout = row.settings?.layout ?? {};
  const look = chosenLook(input);
  const origins = tryItOrigins(input, look);
  const title = row.settings?.title ?? row.title;
  const body = await renderSiteBody(published, {
    addresses: ownAddresses,
    language: languageAt(ofSource.content, row.path),
    title,
    canTry: origins.length > 0,
  });
  return {
    id: row.id,
    title,
    emoji: row.emoji,
    description: row.description,
    ...body,
    trail: pagesAbove(input).map(({ row: above }) => ({
      title: above.title,
      href: hasText(above) ? hrefOfPage(input, above.id) : null,
    })),
    previous: neighbour(input, -1),
    next: neighbour(input, 1),
    layout: {
      // What an operation is stands beside how it is called.
      isWide: body.hasHero || layout['width'] === 'wide' || published.operations.length > 0,
      hasTitle: layout['title'] !== false,
      hasDescription: layout['description'] !== false,
      hasNavigation: !body.hasHero && layout['tableOfContents'] !== false,
      hasOutline: !body.hasHero && layout['outline'] !== false,
      hasPagination: layout['pagination'] !== false,
    },
    operations:
      published.operations.length === 0
        ? null
        : { hasScript: body.body.text.includes(' data-call="'), requestOrigins: origins },
    cover: coverOf(page.row, ownAddresses),
    updatedAt: row.updatedAt,
    feedback: look.feedback.enabled
      ? {
          href: addresses.below('~', 'feedback'),
          spaceId: ofSource.location.siteSpace.row.id,
          pageId: row.id,
        }
      : null,
    editHref: look.git.showEditLink ? editAddress(ofSource.content.revision.origin, row.gitPath) : null,
    actions: pageActions(input, look),
    markdownHref: addresses.below(location.siteSpace.path, markdownPath(ownPath)),
    original:
      untranslated === null
        ? null
        : {
            language: languageAt(ofSource.content, row.path),
            href: addresses.below(ofSource.location.siteSpace.path, row.path),
          },
    ...pageMetadata(ofSource),
    socialImage: socialImage(ofSource, look),
  };
}

/** But for the entry that only says which language is read. */
function pagesAbove(input: PageInput): readonly IndexedPage[] {
  const { content, page, untranslated } = input;
  const entry = openEntry(input);
  if (entry === null) return [];
  const folder = languageFolderOf(content.languages, untranslated?.path ?? page.row.path);
  const { heading } = languageNavigation(content, folder);
  const above = isOwnEntry(input, entry) ? ancestorsOf(entry) : [...ancestorsOf(entry), entry];
  return above.filter((each) => each !== heading);
}

/** The page before or after another one, in its language. */
function neighbour(input: PageInput, offset: -1 | 1): SitePageLink | null {
  const { content, page, untranslated, location, addresses } = input;
  const { pages, languages } = content;
  const path = untranslated?.path ?? page.row.path;
  const folder = languageFolderOf(languages, path);
  const part = folder === null ? null : languagePart(content, folder);
  const at = part === null ? pages.positions.get(page.row.id) : part.positions.get(path);
  if (at === undefined) return null;
  const found = part === null ? pages.readingOrder[at + offset]?.row : part.order[at + offset];
  if (found === undefined || languageFolderOf(languages, found.path) !== folder) return null;
  return { title: found.title, href: addresses.below(location.siteSpace.path, found.path) };
}

/** The picture above a page, as far as it is a file of the space: others would be asked of other hosts. */
function coverOf({ settings }: PageInput['page']['row'], addresses: SpaceAddresses): ShownPage['cover'] {
  const { cover, layout } = settings ?? {};
  if (cover === undefined || layout?.['cover'] === false) return null;
  const addressOf = (ref: typeof cover.ref | undefined) =>
    ref !== undefined && 'file' in ref ? addresses.file(ref.file) : null;
  const light = addressOf(cover.ref) ?? addressOf(cover.refDark);
  if (light === null) return null;
  const image = { light, dark: addressOf(cover.refDark) };
  return { image, isWide: layout?.['coverSize'] === 'full', alt: '' };
}

/** In the place of a space's id, in addresses of what is printed. */
export const WHOLE_SITE = 'site';

/** Assistants that open with a question in their address. */
const ASSISTANTS = [
  { name: 'ChatGPT', address: 'https://chatgpt.com/?q=' },
  { name: 'Claude', address: 'https://claude.ai/new?q=' },
];

/** Whether others than readers with rights of their own, such as social networks, can read the pages of a site. */
function isForEverybody({ site, preview }: ServedSite): boolean {
  const { visibility, publishedAt, adaptiveContent } = site;
  if (preview !== null || publishedAt === null || adaptiveContent) return false;
  return visibility === 'public' || visibility === 'unlisted';
}

/** Where readers may send the operations of a page; nowhere where that is not chosen and not everybody may read the site. */
function tryItOrigins(
  { platform, served, published, addresses }: PageInput,
  { tryIt }: SiteCustomization,
): readonly string[] {
  if (!(tryIt?.enabled ?? isForEverybody(served))) return [];
  const { host } = new URL(addresses.canonical());
  return requestOrigins(
    published.operations.map(({ operation }) => operation),
    (url) => url.host === host || isOwnAddress(platform, url),
  );
}

/** The chosen picture of the site, else one that is drawn of the page. */
function socialImage(
  { served, location, content, page, addresses }: PageInput,
  { socialPreview }: SiteCustomization,
): string | null {
  if (!isForEverybody(served)) return null;
  if (socialPreview.url !== undefined) return socialPreview.url;
  const card = pageCard(served, location, { content, page });
  if (!canDraw(card)) return null;
  const digest = cardDigest(card);
  return addresses.canonical('~', 'social', location.siteSpace.row.id, page.row.id, `${digest}.png`);
}

/** What was chosen. Others' assistants are offered only for pages that they can read, too. */
function pageActions(input: PageInput, look: SiteCustomization): PageActions {
  const { served, location, page, untranslated, addresses } = input;
  const chosen = look.pageActions;
  const path = untranslated?.path ?? page.row.path;
  const markdown = addresses.canonical(location.siteSpace.path, markdownPath(path));
  const question = encodeURIComponent(`Read ${markdown}, so that I can ask about it.`);
  return {
    printHrefs: printAddresses(input, look),
    hasMarkdown: chosen.markdown,
    mcpHref: chosen.mcp ? addresses.below('~', 'mcp') : null,
    assistants:
      chosen.externalAI && isForEverybody(served)
        ? ASSISTANTS.map(({ name, address }) => ({ name, href: `${address}${question}` }))
        : [],
  };
}

/** Where the section of a page is in one document, and the whole site where that is more. */
function printAddresses(
  { structure, location, addresses }: PageInput,
  { pdf }: SiteCustomization,
): PageActions['printHrefs'] {
  if (!pdf.enabled) return { section: null, site: null };
  const isAlone = locationsOf(structure).length === 1;
  const section = addresses.below('~', 'print', location.siteSpace.row.id);
  return {
    section: isAlone ? null : section,
    site: addresses.below('~', 'print', isAlone ? location.siteSpace.row.id : WHOLE_SITE),
  };
}

/** Where a file can be edited on its host; null where that is unknown. */
function editAddress(origin: unknown, path: string | null): string | null {
  const repository = repositoryOf(origin);
  if (repository === undefined || path === null) return null;
  const segments = [...repository.branch.split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
  return `https://${repository.htmlHost}/${repository.fullName}/edit/${segments}`;
}

/** Where a page is as Markdown. The home page of a space has no name of its own. */
export function markdownPath(pagePath: string): string {
  return `${pagePath === '' ? 'index' : pagePath}.md`;
}
