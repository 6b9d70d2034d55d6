import type { Root } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { BlockList, type Dialect } from '../dialect/index.ts';
import { readAttributeLists } from './attribute-lists.ts';
import type { NamedOperation } from './blocks/find-operations.ts';
import { emptyIcons, placeBlocks, type ShowOperation } from './blocks/place-blocks.ts';
import { loadDialect } from './load-dialect.ts';
import { markAlerts } from './mark-alerts.ts';
import type { OperationView } from './openapi/operation-view.ts';
import { type OutlineEntry, outlineOf } from './outline.ts';
import { parsePage } from './parse-page.ts';
import { placeIds } from './place-ids.ts';
import { checkLength, checkTree } from './render-limits.ts';
import { type AddressOptions, resolveAddresses } from './resolve-addresses.ts';
import { sanitiseSchema } from './sanitise-schema.ts';
import { toHast } from './to-hast.ts';

const sanitise = rehypeSanitize(sanitiseSchema);
const html = unified().use(rehypeStringify).freeze();

export interface PageOptions {
  /** How the page is written: `SpaceAnalysis.dialects` of its file. GitHub's Markdown when left out. */
  readonly dialect?: string;
  /** The start of ids that belong to the frame around the page; its content may not use them. */
  readonly reservedIds?: string;
  /** What is known of an operation of an API that a block names; such a block shows what it holds when left out. */
  readonly operationOf?: (named: NamedOperation) => OperationView | null;
}

export interface RenderOptions extends PageOptions, AddressOptions {
  /** Marks the parts of code (`hljs-keyword` and its like), where the language is known and the code not too long. */
  readonly highlight?: boolean;
}

/**
 * A page's Markdown, with the HTML and the builder's blocks in it, as HTML for readers. Front matter is left out. What
 * comes back holds no scripts, styles, forms or frames, whatever the source holds, and may stand in a page as it is.
 *
 * @throws RenderLimitError when showing the page would take unreasonable time or memory
 */
export async function renderPage(markdown: string, options: RenderOptions = {}): Promise<string> {
  return (await renderWithOutline(markdown, options)).html;
}

export interface RenderedPage {
  readonly html: string;
  readonly outline: readonly OutlineEntry[];
}

/** As `renderPage`, with the page's headings for a list of what is on it. */
export async function renderWithOutline(
  markdown: string,
  options: RenderOptions = {},
): Promise<RenderedPage> {
  const tree = await renderTree(markdown, options);
  const outline = outlineOf(tree);
  resolveAddresses(tree, options);
  if (options.highlight === true) {
    const { highlightCode } = await import('./highlight-code.ts');
    highlightCode(tree);
  }
  return { html: html.stringify(tree), outline };
}

/** The sanitised tree of a page, its addresses as written. */
export async function renderTree(markdown: string, options: PageOptions = {}): Promise<Root> {
  checkLength(markdown);
  const dialect: Dialect = await loadDialect(options.dialect ?? '');
  const blocks = new BlockList();
  const page = parsePage(markdown.replaceAll('\0', '\u{fffd}'), dialect, blocks);
  checkTree(page.root);
  const tree = await toHast(page, blocks);
  placeBlocks(tree, blocks, await loadShow(options));
  const clean = sanitise(tree) as Root;
  if (dialect.hasAttributeLists === true) readAttributeLists(clean);
  placeIds(clean, options.reservedIds ?? '', dialect);
  emptyIcons(clean);
  markAlerts(clean);
  return clean;
}

/** Few pages show operations, so what shows them is loaded with the first. */
async function loadShow({ operationOf }: PageOptions): Promise<ShowOperation | undefined> {
  if (!operationOf) return undefined;
  const { operationElements } = await import('./openapi/operation-elements.ts');
  return (named) => {
    const operation = operationOf(named);
    return operation && operationElements(operation);
  };
}
