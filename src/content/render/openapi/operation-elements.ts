import type { Element, ElementContent } from 'hast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { guardSource } from '../../parse/index.ts';
import { checkTree, RenderLimitError } from '../render-limits.ts';
import type { ContentView, FieldView, OperationView, ParameterView, ResponseView } from './operation-view.ts';

/** Texts of a description are Markdown. */
const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).freeze();

/** The same with HTML in it, as older descriptions have it; the page’s rules decide what of it stays. */
const withHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .freeze();

/** Longer texts are shown as they are written: the parser of Markdown is slow. */
const MAX_MARKDOWN = 8_000;

/** One line without any mark of Markdown: most cells of most tables, which need no parser. */
const PLAIN = /^[ \t]*[\p{L}\p{N}("'][^\n*_`[\]<>#&\\|~!:@]*$/u;

/** An ordered list begins with a number. */
const NUMBERED = /^[ \t]*\d+[.)]/;

/** An operation for readers: what it is called and does, what it takes and answers, as tables. Not sanitised yet. */
export function operationElements(operation: OperationView): ElementContent[] {
  const { method, path, title, description, isDeprecated, servers, security } = operation;
  const [server] = servers;
  return [
    element('p', [
      element('code', [text(method)]),
      text(' '),
      element('code', [text(path)]),
      ...(isDeprecated ? [text(' '), element('span', [text('deprecated')], ['badge'])] : []),
    ]),
    ...(title === `${method} ${path}` ? [] : [element('p', [element('strong', [text(title)])])]),
    ...markdownWithHtml(description),
    ...(server === undefined ? [] : [labelled('Server', [element('code', [text(server)])])]),
    ...(security.length === 0 ? [] : [labelled('Authorization', [text(security.join('; or '))])]),
    ...PARAMETER_SECTIONS.flatMap(([place, name]) =>
      parameters(
        name,
        operation.parameters.filter((parameter) => parameter.in === place),
      ),
    ),
    ...body(operation),
    ...(operation.responses.length === 0
      ? []
      : [heading('Responses'), ...operation.responses.map((one) => response(one))]),
  ];
}

const PARAMETER_SECTIONS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['querystring', 'Query'],
  ['header', 'Header parameters'],
  ['cookie', 'Cookies'],
] as const;

function parameters(name: string, given: readonly ParameterView[]): Element[] {
  return given.length === 0 ? [] : [heading(name), table(given)];
}

function body({ body: given }: OperationView): ElementContent[] {
  if (given === null) return [];
  const name = given.isRequired ? 'Request body (required)' : 'Request body';
  return [heading(name), ...prose(given.description), ...given.contents.flatMap(content)];
}

function response({ status, description, headers, contents }: ResponseView): Element {
  const summary = element('summary', [
    element('code', [text(status)]),
    ...(description === '' ? [] : [text(` ${firstLine(description)}`)]),
  ]);
  return element('details', [
    summary,
    ...(firstLine(description) === description ? [] : prose(description)),
    ...(headers.length === 0 ? [] : [heading('Headers'), table(headers)]),
    ...contents.flatMap(content),
  ]);
}

function content({ mediaType, type, fields, isCut }: ContentView): ElementContent[] {
  return [
    element('p', [element('code', [text(mediaType)]), text(` ${type}`)]),
    ...(fields.length === 0 ? [] : [table(fields)]),
    ...(isCut
      ? [element('p', [text('Some properties are left out here; the specification has them all.')])]
      : []),
  ];
}

function table(fields: readonly FieldView[]): Element {
  const row = ({ name, depth, type, isRequired, isDeprecated, description, notes }: FieldView) =>
    element('tr', [
      element('td', [
        // Inner properties stand behind those that they are in.
        text('\u{a0}\u{a0}'.repeat(depth)),
        element('code', [text(name)]),
        ...(isRequired ? [text(' '), element('strong', [text('required')])] : []),
        ...(isDeprecated ? [text(' '), element('span', [text('deprecated')], ['badge'])] : []),
      ]),
      element('td', [text(type)]),
      element('td', [
        ...inline(description),
        ...(notes.length === 0 ? [] : [text(`${description === '' ? '' : ' '}${notes.join('; ')}.`)]),
      ]),
    ]);
  const head = element(
    'tr',
    ['Name', 'Type', 'Description'].map((name) => element('th', [text(name)])),
  );
  return element('table', [element('thead', [head]), element('tbody', fields.map(row))]);
}

/** What is said of a whole operation, with its HTML. */
function markdownWithHtml(given: string): ElementContent[] {
  return given.includes('<') && given.length <= MAX_MARKDOWN ? parse(withHtml, given) : prose(given);
}

function parse(processor: typeof withHtml, given: string): ElementContent[] {
  const root = processor.parse(guardSource(given).source);
  try {
    checkTree(root);
  } catch (error) {
    if (error instanceof RenderLimitError) return [element('pre', [text(given)])];
    throw error;
  }
  return withoutHeadings(processor.runSync(root).children as ElementContent[]);
}

/** Paragraphs of Markdown, without the tags of HTML. */
function prose(given: string): ElementContent[] {
  if (given.trim() === '') return [];
  if (given.length > MAX_MARKDOWN) return [element('pre', [text(given)])];
  const plain = given.includes('<') ? given.replace(/<\/?[a-z][^<>]*>/gi, '') : given;
  if (PLAIN.test(plain) && !NUMBERED.test(plain)) return [element('p', [text(plain.trim())])];
  return parse(markdown, plain);
}

/** Headings would stand among those of the page, so they are words in bold. */
function withoutHeadings(children: readonly ElementContent[]): ElementContent[] {
  return children.map((child) =>
    child.type === 'element' && /^h[1-6]$/.test(child.tagName)
      ? element('p', [element('strong', child.children)])
      : child,
  );
}

/** The words of one cell. */
function inline(given: string): ElementContent[] {
  const blocks = prose(given).filter((one) => one.type !== 'text' || one.value.trim() !== '');
  return blocks.flatMap((block, at) => {
    const words = block.type === 'element' && block.tagName === 'p' ? block.children : [block];
    return at === 0 ? words : [text(' '), ...words];
  });
}

function firstLine(given: string): string {
  return given.trim().split('\n', 1)[0] ?? '';
}

function labelled(name: string, what: ElementContent[]): Element {
  return element('p', [text(`${name}: `), ...what]);
}

/** No heading of the page: its list of contents is the author’s. */
function heading(name: string): Element {
  return element('p', [element('strong', [text(name)])], ['block-title']);
}

function element(tagName: string, children: ElementContent[], className: readonly string[] = []): Element {
  return {
    type: 'element',
    tagName,
    properties: className.length === 0 ? {} : { className: [...className] },
    children,
  };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
