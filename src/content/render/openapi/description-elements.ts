import type { ElementContent } from 'hast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { guardSource } from '../../parse/index.ts';
import { element } from '../hast-elements.ts';
import { checkTree, RenderLimitError } from '../render-limits.ts';

/** The texts of API descriptions are Markdown. */
const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).freeze();

/** Markdown with HTML, as in older descriptions; it is sanitised with the page. */
const withHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .freeze();

/** Longer texts are shown as written, because the Markdown parser is slow. */
const MAX_MARKDOWN = 8_000;

/** One line without Markdown: most cells of most tables, which need no parser. */
const PLAIN = /^[ \t]*[\p{L}\p{N}("'][^\n*_`[\]<>#&\\|~!:@]*$/u;

/** An ordered list begins with a number. */
const NUMBERED = /^[ \t]*\d+[.)]/;

/** Renders the description of a whole operation, with its HTML. */
export function describedWithHtml(source: string): ElementContent[] {
  return source.includes('<') && source.length <= MAX_MARKDOWN
    ? parse(withHtml, source)
    : describedIn(source);
}

function parse(processor: typeof withHtml, source: string): ElementContent[] {
  const root = processor.parse(guardSource(source).source);
  try {
    checkTree(root);
  } catch (error) {
    if (error instanceof RenderLimitError) return [element('pre', [textNode(source)])];
    throw error;
  }
  return withoutHeadings(processor.runSync(root).children as ElementContent[]);
}

/** Renders Markdown without its HTML tags. */
export function describedIn(source: string): ElementContent[] {
  if (source.trim() === '') return [];
  if (source.length > MAX_MARKDOWN) return [element('pre', [textNode(source)])];
  const plain = source.includes('<') ? source.replace(/<\/?[a-z][^<>]*>/gi, '') : source;
  if (PLAIN.test(plain) && !NUMBERED.test(plain)) return [element('p', [textNode(plain.trim())])];
  return parse(markdown, plain);
}

/** Replaces headings, which would be among those of the page, with bold text. */
function withoutHeadings(children: readonly ElementContent[]): ElementContent[] {
  return children.map((child) =>
    child.type === 'element' && /^h[1-6]$/.test(child.tagName)
      ? element('p', [element('strong', child.children)])
      : child,
  );
}

/** Renders the text of a cell. */
export function wordsOfCell(source: string): ElementContent[] {
  const blocks = describedIn(source).filter((block) => block.type !== 'text' || block.value.trim() !== '');
  return blocks.flatMap((block, at) => {
    const words = block.type === 'element' && block.tagName === 'p' ? block.children : [block];
    return at === 0 ? words : [textNode(' '), ...words];
  });
}

export function firstLineOf(source: string): string {
  return source.trim().split('\n', 1)[0] ?? '';
}

export function textNode(value: string): ElementContent {
  return { type: 'text', value };
}
