import type { Element, ElementContent } from 'hast';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { guardSource } from '../../parse/index.ts';
import { checkTree, RenderLimitError } from '../render-limits.ts';
import type { ContentView, FieldView, OperationView, ParameterView, ResponseView } from './operation-view.ts';

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

/** Says why an operation is not shown to a reader who may not see its specification. */
export function privateOperation(spec: string): ElementContent[] {
  const before = text('The API specification ');
  const after = text(' is not public, so this operation is not shown here.');
  return [element('p', [before, element('code', [text(spec)]), after])];
}

/** Renders an operation for readers: its name and description, and its parameters, body and responses as tables. Not sanitised yet. */
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
    ...PARAMETER_SECTIONS.flatMap(([location, name]) =>
      parameters(
        name,
        operation.parameters.filter((parameter) => parameter.in === location),
      ),
    ),
    ...requestBody(operation),
    ...(operation.responses.length === 0 ? [] : [heading('Responses'), ...operation.responses.map(response)]),
  ];
}

const PARAMETER_SECTIONS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['querystring', 'Query'],
  ['header', 'Header parameters'],
  ['cookie', 'Cookies'],
] as const;

function parameters(name: string, fields: readonly ParameterView[]): Element[] {
  return fields.length === 0 ? [] : [heading(name), table(fields)];
}

function requestBody({ body }: OperationView): ElementContent[] {
  if (body === null) return [];
  const name = body.isRequired ? 'Request body (required)' : 'Request body';
  return [heading(name), ...prose(body.description), ...body.contents.flatMap(content)];
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
        // Inner properties are indented.
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

/** Renders the description of a whole operation, with its HTML. */
function markdownWithHtml(source: string): ElementContent[] {
  return source.includes('<') && source.length <= MAX_MARKDOWN ? parse(withHtml, source) : prose(source);
}

function parse(processor: typeof withHtml, source: string): ElementContent[] {
  const root = processor.parse(guardSource(source).source);
  try {
    checkTree(root);
  } catch (error) {
    if (error instanceof RenderLimitError) return [element('pre', [text(source)])];
    throw error;
  }
  return withoutHeadings(processor.runSync(root).children as ElementContent[]);
}

/** Renders Markdown without its HTML tags. */
function prose(source: string): ElementContent[] {
  if (source.trim() === '') return [];
  if (source.length > MAX_MARKDOWN) return [element('pre', [text(source)])];
  const plain = source.includes('<') ? source.replace(/<\/?[a-z][^<>]*>/gi, '') : source;
  if (PLAIN.test(plain) && !NUMBERED.test(plain)) return [element('p', [text(plain.trim())])];
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
function inline(source: string): ElementContent[] {
  const blocks = prose(source).filter((block) => block.type !== 'text' || block.value.trim() !== '');
  return blocks.flatMap((block, at) => {
    const words = block.type === 'element' && block.tagName === 'p' ? block.children : [block];
    return at === 0 ? words : [text(' '), ...words];
  });
}

function firstLine(source: string): string {
  return source.trim().split('\n', 1)[0] ?? '';
}

function labelled(name: string, value: ElementContent[]): Element {
  return element('p', [text(`${name}: `), ...value]);
}

/** Not a heading element: the outline of the page is the author’s. */
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
