import type { Root as HtmlRoot } from 'hast';
import type { Root } from 'mdast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { markdownToMdast } from 'satteri';
import { unified } from 'unified';
import { guardSource } from '../facts/guard-source.ts';
import { markAlerts } from './mark-alerts.ts';
import { placeIds } from './place-ids.ts';
import { checkLength, checkTree } from './render-limits.ts';
import { type AddressOptions, resolveAddresses } from './resolve-addresses.ts';
import { sanitiseSchema } from './sanitise-schema.ts';

export interface RenderOptions extends AddressOptions {
  /** The start of ids that belong to the frame around the page; its content may not use them. */
  readonly reservedIds?: string;
}

const toHtml = unified()
  // Footnotes get the ids that `readFacts` knows; the page's frame is kept apart by `reservedIds`.
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' })
  .use(rehypeRaw)
  .use(rehypeSanitize, sanitiseSchema)
  .use(rehypeStringify)
  .freeze();

/**
 * A page's Markdown (GitHub's dialect, with HTML in it) as HTML for readers. Front matter is left out. What comes
 * back holds no scripts, styles, forms or frames, whatever the source holds, and may stand in a page as it is.
 *
 * @throws RenderLimitError when showing the page would take unreasonable time or memory
 */
export async function renderPage(markdown: string, options: RenderOptions = {}): Promise<string> {
  checkLength(markdown);
  const { source } = guardSource(markdown.replaceAll('\0', '\u{fffd}'));
  const page = markdownToMdast(source, { features: { gfm: true, frontmatter: true } }) as Root;
  checkTree(page);
  const tree = (await toHtml.run(page)) as HtmlRoot;
  placeIds(tree, options.reservedIds ?? '');
  markAlerts(tree);
  resolveAddresses(tree, options);
  return toHtml.stringify(tree);
}
