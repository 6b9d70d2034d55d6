import type { Element, ElementContent, Nodes as HtmlNodes, Root as HtmlRoot } from 'hast';
import type { Code, Heading, List, ListItem, Nodes, Parents, Root } from 'mdast';
import rehypeRaw from 'rehype-raw';
import remarkRehype, { defaultHandlers } from 'remark-rehype';
import { unified } from 'unified';
import { type BlockList, MARKER } from '../dialect/index.ts';
import { readJsxTag } from '../parse/index.ts';
import { element } from './hast-elements.ts';
import { markedLinesIn } from './line-marks.ts';
import type { ParsedPage } from './parse-page.ts';

/** What remark-rehype passes to a handler, as far as it is used here. */
interface State {
  all(node: unknown): ElementContent[];
}

/** Marks headings of Markdown (not of HTML) until their ids are assigned. */
export const MARKDOWN_HEADING = 'dataMarkdown';

/**
 * Converts a page's tree to HTML elements, not sanitised yet. Components of MDX become markers around their content;
 * expressions and imports are left out, except literals such as `{' '}`.
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
    listItem: createItemHandler(),
  };
  const processor = unified()
    // Footnotes have the same ids as in the link check; `reservedIds` protects those of the page's frame.
    .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', handlers: handlers as never })
    .use(rehypeRaw);
  return (await processor.run(root as Root)) as HtmlRoot;
}

/**
 * The handler of remark-rehype looks for a loose item in the whole list for each of its items, which takes quadratic time.
 * Here it sees a list without items that says whether one of them is loose.
 */
function createItemHandler() {
  const looseLists = new WeakMap<Parents, boolean>();
  return (state: never, node: ListItem, parent: Parents | undefined) => {
    if (parent?.type !== 'list') return defaultHandlers.listItem(state, node, parent);
    const spread = looseLists.get(parent) ?? isLoose(parent);
    looseLists.set(parent, spread);
    return defaultHandlers.listItem(state, node, { type: 'list', spread, children: [] });
  };
}

/** Whether the items of a list are paragraphs of their own, as remark-rehype decides it. */
function isLoose({ spread, children }: List): boolean {
  return spread === true || children.some((item) => item.spread ?? item.children.length > 1);
}

function fromJsx(state: State, node: Nodes, blocks: BlockList): HtmlNodes | ElementContent[] {
  const tag = readJsxTag(node);
  if (tag === null) return state.all(node);
  const values = [...tag.attributes].filter(([, value]) => !value.startsWith('{'));
  if (/^[a-z][\w-]*$/.test(tag.name)) return element(tag.name, state.all(node), Object.fromEntries(values));
  const number = blocks.add(`<${tag.name.toLowerCase()}>`, new Map(values));
  return element(MARKER, state.all(node), { dataN: String(number) });
}

/** A string in braces is text; expressions that would have to be evaluated are left out. */
function fromExpression(code: string): HtmlNodes | undefined {
  const literal = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/.exec(code);
  const value = literal?.[1] ?? literal?.[2] ?? literal?.[3];
  return value === undefined ? undefined : { type: 'text', value };
}

/** Mathematics stays as written, including its delimiters. */
function fromMath(node: Nodes, source: string): Element {
  const { position } = node;
  const { value } = node as unknown as { readonly value: string };
  const isBlock = (node.type as string) === 'math';
  const written = source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  const text = isBlock ? `$$\n${value}\n$$` : written.includes('\n') ? `$${value}$` : written;
  return element(isBlock ? 'div' : 'span', [{ type: 'text', value: text }], { className: ['math'] });
}

function fromCode(state: never, node: Code): Element {
  const { language, isVue, title, lines } = readCodeInfo(node.lang ?? '', node.meta ?? '');
  const value = isVue ? withoutInterpolation(node.value) : node.value;
  const pre = defaultHandlers.code(state, { ...node, value, lang: language, meta: null }) as Element;
  const [code] = pre.children;
  if (lines !== '' && code?.type === 'element') code.properties['dataLines'] = lines;
  if (title === '') return pre;
  const caption = element('figcaption', [{ type: 'text', value: title }]);
  return element('figure', [caption, pre], { className: ['code'] });
}

/** VitePress shows the text of a constant in braces in code whose language ends with `-vue`: `{{'<name>'}}`. */
function withoutInterpolation(code: string): string {
  return code.replace(/\{\{[ \t]*(?:'([^'\n]{0,500})'|"([^"\n]{0,500})")[ \t]*\}\}/g, '$1$2');
}

interface CodeInfo {
  readonly language: string;
  /** Whether the code may contain what Vue computes. */
  readonly isVue: boolean;
  /** Empty for none. */
  readonly title: string;
  /** See `markedLinesIn`. */
  readonly lines: string;
}

/**
 * Reads the info string of fenced code as the builders do: `js {1,3} title="a.js"` (Docusaurus, Starlight, Material),
 * `js{1,3} [a.js]` and `js:line-numbers` (VitePress), `rust,ignore` (mdBook).
 */
function readCodeInfo(lang: string, meta: string): CodeInfo {
  const named = /^[^\s{,:[]+/.exec(lang)?.[0] ?? '';
  const language = named.replace(/-vue$/, '');
  const info = `${lang.slice(named.length)} ${meta}`;
  const quoted = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(info);
  const bracketed = /\[([^[\]]+)\]/.exec(info);
  const title = (quoted?.[1] ?? quoted?.[2] ?? bracketed?.[1] ?? '').trim();
  return {
    language,
    isVue: language !== named,
    title,
    lines: markedLinesIn(info.replace(/(?:title|filename)=(?:"[^"]*"|'[^']*')/, '')),
  };
}
