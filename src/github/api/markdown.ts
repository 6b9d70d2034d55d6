/**
 * All Markdown that Docloom writes for people on GitHub, built as nodes: names come from repositories and spaces and may
 * contain any Markdown or HTML, which the writer escapes.
 */
import type {
  List,
  ListItem,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  TableCell,
  TableRow,
} from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';

/** GitHub's limit for a check run's summary, in characters. https://docs.github.com/rest/checks/runs */
export const SUMMARY_LIMIT = 65_535;

/** For bodies of issues and pull requests, in characters: GitHub accepts 65,536. */
export const BODY_LIMIT = 60_000;

/** Rows of a table in a summary: as many as people read at a glance; the report page has all. */
const MAX_ROWS = 25;

/** The longest name or address shown whole. */
const NAME_LENGTH = 200;

const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', rule: '-', resourceLink: true })
  .freeze();

export function writeMarkdown(children: readonly RootContent[]): string {
  const root: Root = { type: 'root', children: [...children] };
  return writer.stringify(root);
}

/** The inline code at the start of each list item, in text order, nested lists included. */
export function readItemCodes(markdown: string): readonly string[] {
  const codes: string[] = [];
  const visit = (nodes: readonly RootContent[]) => {
    for (const node of nodes) {
      if (node.type === 'list') for (const { children } of node.children) visit(children);
      const first = node.type === 'paragraph' ? node.children[0] : undefined;
      if (first?.type === 'inlineCode') codes.push(first.value);
    }
  };
  visit(unified().use(remarkParse).parse(markdown).children);
  return codes;
}

/** A summary of one sentence, for checks that could not run. */
export function writeSentence(sentence: string): string {
  return writeMarkdown([paragraph([text(sentence)])]).slice(0, SUMMARY_LIMIT);
}

/** Puts a sentence above a summary, which is cut where both together are too long. */
export function prependSentence(sentence: string, summary: string): string {
  return `${writeMarkdown([paragraph([strong(sentence)])])}\n${summary}`.slice(0, SUMMARY_LIMIT);
}

/** A summary of at most `SUMMARY_LIMIT` characters: tables and lists are shortened; if that is not enough, only `least` is written. */
export function fitSummary(
  parts: readonly (readonly RootContent[])[],
  least: readonly RootContent[],
): string {
  for (const rows of [MAX_ROWS, 10, 3, 0]) {
    const text = writeMarkdown(parts.flatMap((part) => limitRows(part, rows)));
    if (text.length <= SUMMARY_LIMIT) return text;
  }
  return writeMarkdown(least).slice(0, SUMMARY_LIMIT);
}

/** Shortens tables and lists, and adds how many rows are left out. */
function limitRows(nodes: readonly RootContent[], rows: number): RootContent[] {
  return nodes.flatMap((node): RootContent[] => {
    if (node.type !== 'table' && node.type !== 'list') return [node];
    const length = node.type === 'table' ? node.children.length - 1 : node.children.length;
    if (length <= rows) return [node];
    const rest = paragraph([text(`… and ${length - rows} more in the report.`)]);
    if (rows === 0) return [rest];
    const cut =
      node.type === 'table'
        ? { ...node, children: node.children.slice(0, rows + 1) }
        : { ...node, children: node.children.slice(0, rows) };
    return [cut, rest];
  });
}

/**
 * The browser address of a line of a file; every segment is percent-encoded, so no name can change the path.
 * GitHub shows the lines of Markdown only in its plain view.
 */
export function blobLink(blobUrl: string, path: string, line: number): string {
  return `${blobUrl}${path.split('/').map(encodeURIComponent).join('/')}?plain=1#L${line}`;
}

export function table(head: readonly string[], rows: readonly TableRow[]): RootContent {
  return { type: 'table', children: [row(head.map((title) => [text(title)])), ...rows] };
}

export function row(cells: readonly (readonly PhrasingContent[])[]): TableRow {
  const children = cells.map((cell): TableCell => ({ type: 'tableCell', children: [...cell] }));
  return { type: 'tableRow', children };
}

export function heading(title: string): RootContent {
  return { type: 'heading', depth: 3, children: [text(title)] };
}

export function paragraph(children: readonly PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children: [...children] };
}

export function list(items: readonly (readonly PhrasingContent[] | ListItem)[]): List {
  const children = items.map((item) => ('type' in item ? item : listItem(item)));
  return { type: 'list', ordered: false, spread: false, children };
}

/** An item with a list below it. */
export function listItem(
  children: readonly PhrasingContent[],
  below: readonly (readonly PhrasingContent[])[] = [],
): ListItem {
  const nested = below.length === 0 ? [] : [list(below)];
  return { type: 'listItem', spread: false, children: [paragraph(children), ...nested] };
}

/** A hidden comment by which Docloom recognises its own texts. */
export function comment(value: string): RootContent {
  return { type: 'html', value: `<!-- ${value} -->` };
}

/** A corrected line, which GitHub lets people commit with a click. */
export function suggestion(line: string): RootContent {
  return { type: 'code', lang: 'suggestion', value: line };
}

export function link(title: string, url: string): PhrasingContent {
  return { type: 'link', url, children: [text(title)] };
}

export function strong(value: string): PhrasingContent {
  return { type: 'strong', children: [text(value)] };
}

/** Line breaks and control characters would break out of a table's row. */
function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

export function text(value: string): PhrasingContent {
  return { type: 'text', value: withoutReferences(oneLine(value)) };
}

/** A text in which GitHub finds no mentions and no references: they look the same. */
export function withoutReferences(value: string): string {
  return value.replace(REFERENCE, '$&\u200B');
}

/**
 * What GitHub turns into mentions and references after parsing the Markdown, so escaping does not prevent it; a name may
 * contain it by chance.
 */
const REFERENCE = /@(?=[\p{L}\p{N}])|#(?=\d)|\bGH-(?=\d)/giu;

/** One of our messages, with code between backticks. */
export function prose(message: string): PhrasingContent[] {
  return message
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? code(part) : text(part)))
    .filter((node) => node.type !== 'text' || node.value !== '');
}

/** One of our messages where GitHub shows plain text, which has no code: names between backticks stand in quotation marks. */
export function quoteNames(message: string): string {
  return message.replace(/`([^`\n]+)`/g, '“$1”');
}

export function code(value: string): PhrasingContent {
  return { type: 'inlineCode', value: oneLine(value) };
}

export function short(value: string): string {
  return value.length <= NAME_LENGTH ? value : `${value.slice(0, NAME_LENGTH - 1)}…`;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
