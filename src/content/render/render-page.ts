import type { Root } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { BlockList, type Dialect } from '../dialect/index.ts';
import { loadDialect } from '../engine/index.ts';
import { assignIds } from './assign-ids.ts';
import { readAttributeLists } from './attribute-lists.ts';
import { insertBlockPlaces } from './block-places.ts';
import type { BlockTitles } from './blocks/block-titles.ts';
import { emptyIcons, expandBlocks, type RenderOperation } from './blocks/expand-blocks.ts';
import type { NamedOperation } from './blocks/find-operations.ts';
import { markBlocks } from './document/mark-blocks.ts';
import { writeEmoji } from './emoji-names.ts';
import { fitForSite } from './fit-for-site.ts';
import { hasClass, textOf, walkElements } from './hast-elements.ts';
import { heroElements } from './hero-elements.ts';
import { takeLineMarks, wrapMarkedLines } from './line-marks.ts';
import { makeAccessible } from './make-accessible.ts';
import { markAlerts } from './mark-alerts.ts';
import type { OperationView } from './openapi/operation-view.ts';
import type { OperationWords } from './openapi/operation-words.ts';
import { type OutlineEntry, outlineOf } from './outline.ts';
import { parsePageInDialect } from './parse-page.ts';
import { loadAllPictures, prefixIds } from './prefix-ids.ts';
import { checkLength, checkTree } from './render-limits.ts';
import { type AddressOptions, resolveAddresses } from './resolve-addresses.ts';
import { sanitiseSchema } from './sanitise-schema.ts';
import { showPicturesByTheme } from './theme-pictures.ts';
import { toHast } from './to-hast.ts';

const sanitise = rehypeSanitize(sanitiseSchema);
const html = unified().use(rehypeStringify).freeze();

export interface PageOptions {
  /** The dialect of the page: `SpaceAnalysis.dialects` of its file. GitHub's Markdown when absent. */
  readonly dialect?: string;
  /** The prefix of ids that belong to the frame around the page; its content may not use them. */
  readonly reservedIds?: string;
  /**
   * Returns the API operation that a block names; null when unknown, `private` when the reader may not see it. A block of an
   * unknown operation, and every block when absent, shows its own content.
   */
  readonly operationOf?: (named: NamedOperation) => OperationView | 'private' | null;
  /** In English when absent. */
  readonly blockTitles?: BlockTitles;
  /** Begins all ids of the page, which is printed in one document with others; absent for a page by itself. */
  readonly idPrefix?: string;
  /**
   * The title that is shown where the page has none: a heading at its beginning that says the same, of whatever level, is
   * the page's own title.
   */
  readonly title?: string;
  /** Whether to render as on published sites: see `fitForSite`. */
  readonly isForSite?: boolean;
  /** Whether readers of the site may send requests to the servers of the operations that the page shows. */
  readonly canTry?: boolean;
  /** What readers of the site are told around operations; in English when absent. */
  readonly operationWords?: OperationWords;
}

export interface RenderOptions extends PageOptions, AddressOptions {
  /** Whether to mark the tokens of code (`hljs-keyword`, …) if its language is known and it is not too long. */
  readonly highlight?: boolean;
  /** Whether there are places for what is shown about single blocks: see `fillBlockPlaces`. */
  readonly hasBlockPlaces?: boolean;
}

/**
 * Renders a page's Markdown, with the HTML and the builder's blocks in it, as HTML for readers, without front matter. The
 * result never contains scripts, styles, forms or frames, and can be inserted into a page as it is.
 *
 * @throws {RenderLimitError} when rendering would take unreasonable time or memory
 */
export async function renderPage(markdown: string, options: RenderOptions = {}): Promise<string> {
  return html.stringify((await renderForReaders(markdown, options)).tree);
}

/** A page in the parts that the frame around it needs separately. */
export interface RenderedPage {
  /** The heading of level 1 with which the page begins, or its hero with such a heading; null for anything else. */
  readonly title: string | null;
  /** Whether the page begins with a hero, as home pages do. */
  readonly hasHero: boolean;
  /** Everything after the title. */
  readonly body: string;
  /** Whether there is a heading of level 1 anywhere. */
  readonly hasTitle: boolean;
  /** The page's headings, including the title. */
  readonly outline: readonly OutlineEntry[];
}

/** Renders like `renderPage`, in parts. */
export async function renderPageParts(markdown: string, options: RenderOptions = {}): Promise<RenderedPage> {
  const { tree, outline } = await renderForReaders(markdown, options);
  if (options.hasBlockPlaces === true) insertBlockPlaces(tree);
  const first = tree.children.findIndex((node) => node.type !== 'text' || node.value.trim() !== '');
  const title = tree.children[first];
  const hasHero = title?.type === 'element' && hasClass(title, 'welcome');
  if (title?.type !== 'element' || (title.tagName !== 'h1' && !hasHero)) {
    return { title: null, hasHero, body: html.stringify(tree), hasTitle: hasTitle(tree), outline };
  }
  const rest: Root = { ...tree, children: tree.children.slice(first + 1) };
  return {
    title: html.stringify({ ...tree, children: [title] }),
    hasHero,
    body: html.stringify(rest),
    hasTitle: true,
    outline,
  };
}

/**
 * The tree of a page as readers see it, title included: for what compares it with another one. The blocks of a page with
 * places are marked, and `insertBlockPlaces` inserts them.
 */
export async function renderToTree(markdown: string, options: RenderOptions = {}): Promise<Root> {
  return (await renderForReaders(markdown, options)).tree;
}

/** Chapters of books begin with a heading of the second level. */
function raiseTitle(tree: Root, title: string): void {
  const first = tree.children.find((node) => node.type !== 'text' || node.value.trim() !== '');
  if (first?.type !== 'element' || !/^h[2-6]$/.test(first.tagName) || hasTitle(tree)) return;
  if (wordsIn(textOf(first)) === wordsIn(title)) first.tagName = 'h1';
}

function wordsIn(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function hasTitle(tree: Root): boolean {
  let isFound = false;
  walkElements(tree, ({ tagName }) => {
    if (tagName === 'h1') isFound = true;
  });
  return isFound;
}

/** Returns the tree that readers see, and its headings. */
async function renderForReaders(
  markdown: string,
  options: RenderOptions,
): Promise<{ readonly tree: Root; readonly outline: readonly OutlineEntry[] }> {
  const tree = await renderTree(markdown, options);
  const marks = takeLineMarks(tree);
  if (options.hasBlockPlaces === true) markBlocks(tree, marks);
  const { idPrefix, title } = options;
  if (title !== undefined) raiseTitle(tree, title);
  if (idPrefix !== undefined) prefixIds(tree, idPrefix);
  const outline = outlineOf(tree);
  if (options.isForSite === true) showPicturesByTheme(tree);
  resolveAddresses(tree, options);
  if (options.highlight === true) {
    const { highlightCode } = await import('./highlight-code.ts');
    highlightCode(tree);
  }
  wrapMarkedLines(marks);
  makeAccessible(tree);
  if (options.isForSite === true) await fitForSite(tree, options);
  if (idPrefix !== undefined) loadAllPictures(tree);
  return { tree, outline };
}

/** Returns the sanitised tree of a page, with addresses as written. */
export async function renderTree(markdown: string, options: PageOptions = {}): Promise<Root> {
  checkLength(markdown);
  const dialect: Dialect = await loadDialect(options.dialect ?? '');
  const blocks = new BlockList();
  const page = parsePageInDialect(markdown.replaceAll('\0', '\u{fffd}'), dialect, blocks);
  checkTree(page.root);
  const tree = await toHast(page, blocks);
  expandBlocks(tree, blocks, { render: await loadOperationRenderer(options), titles: options.blockTitles });
  const clean = sanitise(tree) as Root;
  if (dialect.hasAttributeLists === true) readAttributeLists(clean);
  assignIds(clean, options.reservedIds ?? '', dialect);
  emptyIcons(clean);
  if (dialect.hasEmojiNames === true) writeEmoji(clean);
  markAlerts(clean, options.blockTitles);
  clean.children.unshift(...heroElements(markdown, dialect));
  return clean;
}

/** Few pages show operations, so their renderer is loaded only when it is needed. */
async function loadOperationRenderer({
  operationOf,
  isForSite = false,
  canTry = false,
  operationWords: words,
}: PageOptions): Promise<RenderOperation | undefined> {
  if (!operationOf) return undefined;
  const { operationElements, privateOperation } = await import('./openapi/operation-elements.ts');
  const { siteOperationElements } = await import('./openapi/site-operation.ts');
  return (named) => {
    const operation = operationOf(named);
    if (operation === 'private') return privateOperation(named.spec, words);
    if (operation === null) return null;
    if (!isForSite) return operationElements(operation);
    return siteOperationElements(operation, { canTry, ...(words === undefined ? {} : { words }) });
  };
}
