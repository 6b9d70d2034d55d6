import type { Element, ElementContent, Nodes as HtmlNodes, Root as HtmlRoot } from 'hast';
import type { Code, Heading, Nodes, Root } from 'mdast';
import rehypeRaw from 'rehype-raw';
import remarkRehype, { defaultHandlers } from 'remark-rehype';
import { unified } from 'unified';
import { type BlockList, MARKER } from '../dialect/index.ts';
import { readJsxTag } from '../parse/index.ts';
import { readCodeInfo } from './blocks/code-info.ts';
import type { ParsedPage } from './parse-page.ts';

/** What remark-rehype hands to a handler, as far as it is used here. */
interface State {
  all(node: unknown): ElementContent[];
}

/** Marks headings that are Markdown until their ids are placed. */
export const MARKDOWN_HEADING = 'dataMarkdown';

/**
 * A page's tree as HTML elements, not sanitised yet. Components of MDX become markers, their text stays; expressions
 * and imports are left out, but for literals such as `{' '}`.
 */
export async function toHast({ root, source }: ParsedPage, blocks: BlockList): Promise<HtmlRoot> {
  const jsx = (state: State, node: Nodes) => fromJsx(state, node, blocks);
  const expression = (_state: State, node: { readonly value: string }) => fromExpression(node.value);
  const math = (_state: State, node: Nodes) => fromMath(node, source);
  const handlers = {
    mdxJsxFlowElement: jsx,
    mdxJsxTextElement: jsx,
    mdxFlowExpression: expression,
    mdxTextExpression: expression,
    mdxjsEsm: () => undefined,
    math,
    inlineMath: math,
    descriptionList: (state: State, node: unknown) => element('dl', state.all(node)),
    descriptionTerm: (state: State, node: unknown) => element('dt', state.all(node)),
    descriptionDetails: (state: State, node: unknown) => element('dd', state.all(node)),
    heading: (state: never, node: Heading) => {
      const heading = defaultHandlers.heading(state, node) as Element;
      // Some builders name the headings of Markdown alone.
      return { ...heading, properties: { ...heading.properties, [MARKDOWN_HEADING]: '' } };
    },
    code: (state: never, node: Code) => fromCode(state, node),
  };
  const processor = unified()
    // Footnotes get the ids that the reading knows; the page's frame is kept apart by `reservedIds`.
    .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', handlers: handlers as never })
    .use(rehypeRaw);
  return (await processor.run(root as Root)) as HtmlRoot;
}

function fromJsx(state: State, node: Nodes, blocks: BlockList): HtmlNodes | ElementContent[] {
  const tag = readJsxTag(node);
  if (tag === null) return state.all(node);
  const values = [...tag.attributes].filter(([, value]) => !value.startsWith('{'));
  if (/^[a-z][\w-]*$/.test(tag.name)) return element(tag.name, state.all(node), Object.fromEntries(values));
  const number = blocks.add(`<${tag.name.toLowerCase()}>`, new Map(values));
  return element(MARKER, state.all(node), { dataN: String(number) });
}

/** A string in braces is text; what a program would have to compute is not there. */
function fromExpression(code: string): HtmlNodes | undefined {
  const literal = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/.exec(code);
  const value = literal?.[1] ?? literal?.[2] ?? literal?.[3];
  return value === undefined ? undefined : { type: 'text', value };
}

/** Mathematics stays as it is written, signs included, for whoever shows it. */
function fromMath(node: Nodes, source: string): Element {
  const { position } = node;
  const { value } = node as unknown as { readonly value: string };
  const isBlock = (node.type as string) === 'math';
  const said = source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  const text = isBlock ? `$$\n${value}\n$$` : said.includes('\n') ? `$${value}$` : said;
  return element(isBlock ? 'div' : 'span', [{ type: 'text', value: text }], { className: ['math'] });
}

function fromCode(state: never, node: Code): Element {
  const { language, title } = readCodeInfo(node.lang ?? '', node.meta ?? '');
  const pre = defaultHandlers.code(state, { ...node, lang: language, meta: null }) as Element;
  if (title === '') return pre;
  const caption = element('figcaption', [{ type: 'text', value: title }]);
  return element('figure', [caption, pre], { className: ['code'] });
}

export function element(
  tagName: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children };
}
