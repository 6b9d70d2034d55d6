/** Called with the tokens of a piece of HTML, in order. Lines and columns are those of the piece and start at 1. */
export interface HtmlVisitor {
  startTag(name: string, attributes: ReadonlyMap<string, string>, range: HtmlRange): void;
  endTag(name: string): void;
  text(value: string): void;
}

export interface HtmlRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * HTML as nearly all of it is written: text, comments, end tags, start tags whose values are quoted, scripts and styles.
 * What needs more of the standard (most character references, other line breaks, lone surrogates) is left to parse5.
 */
const UNUSUAL = /[\0\r\ufeff\ud800-\udfff]/u;
/** A literal ampersand, and the references that nearly all texts use: to the characters of markup and to ASCII. */
const AMPERSAND =
  '&(?:(?:amp|lt|gt|quot|apos);|#(?:3[2-9]|[4-9]\\d|1[01]\\d|12[0-6]);|#[xX](?:[2-6][\\da-fA-F]|7[\\da-eA-E]);|(?=[ \\n]))';
const VALUE = `"[^"&]*(?:${AMPERSAND}[^"&]*)*"|'[^'&]*(?:${AMPERSAND}[^'&]*)*'`;
const TOKEN = new RegExp(
  [
    `((?:[^<&]+|${AMPERSAND})+)`,
    '(<!--(?!-?>)[^]*?-->)',
    '</([a-zA-Z][\\w:.-]*)[ \\t\\n\\f]*>',
    // Names and values are parsed only where there are attributes.
    `<([a-zA-Z][\\w:.-]*)((?:[ \\t\\n\\f]+[!#-%(-.0-;?-~]+(?:[ \\t\\n\\f]*=[ \\t\\n\\f]*(?:${VALUE}))?)*)[ \\t\\n\\f]*(/?)>`,
  ].join('|'),
  'y',
);
const ATTRIBUTE = /([!#-%(-.0-;?-~]+)(?:[ \t\n\f]*=[ \t\n\f]*(?:"([^"]*)"|'([^']*)'))?/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A regular expression may use as much memory as its match, so that longer HTML is left to the tokenizer. */
const MAX_LENGTH = 20_000;

interface Found {
  readonly text?: string | undefined;
  readonly endTag?: string | undefined;
  readonly startTag?: string | undefined;
  readonly attributes?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * Calls the visitor as the standard's tokenizer would, only faster; returns false without any call for HTML that is not
 * that plain. `isRawText` names the elements whose content is not markup.
 */
export function scanPlainHtml(
  html: string,
  visitor: HtmlVisitor,
  isRawText: (name: string) => boolean,
): boolean {
  const found = findTokens(html, isRawText);
  if (found === null) return false;
  let line = 1;
  let lineStart = 0;
  const moveTo = (offset: number) => {
    for (
      let at = html.indexOf('\n', lineStart);
      at !== -1 && at < offset;
      at = html.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = at + 1;
    }
  };
  for (const { text, endTag, startTag, attributes, start, end } of found) {
    if (text !== undefined) visitor.text(decode(text));
    else if (endTag !== undefined) visitor.endTag(endTag.toLowerCase());
    else if (startTag !== undefined) {
      moveTo(start);
      const begin = { line, column: start - lineStart + 1 };
      moveTo(end);
      visitor.startTag(startTag.toLowerCase(), readAttributes(attributes ?? ''), {
        ...begin,
        endLine: line,
        endColumn: end - lineStart + 1,
      });
    }
  }
  return true;
}

function findTokens(html: string, isRawText: (name: string) => boolean): readonly Found[] | null {
  if (html.length > MAX_LENGTH || UNUSUAL.test(html)) return null;
  const found: Found[] = [];
  for (let start = 0; start < html.length; ) {
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(html);
    if (match === null) return null;
    const [all, text, comment, endTag, startTag, attributes] = match;
    if (comment?.includes('--!>')) return null;
    const end = start + all.length;
    if (comment === undefined) found.push({ text, endTag, startTag, attributes, start, end });
    start = end;
    const name = startTag?.toLowerCase();
    if (name === undefined || !isRawText(name)) continue;
    start = all.endsWith('/>') ? -1 : endOfCode(html, name, end);
    if (start === -1) return null;
  }
  return found;
}

/** The offset where the code of a script or style ends; -1 for other elements, and when a search for its end tag is not enough. */
function endOfCode(html: string, name: string, from: number): number {
  if (name !== 'script' && name !== 'style') return -1;
  const after = html.slice(from);
  const end = after.search(name === 'script' ? /<\/script[ \t\n\f/>]/i : /<\/style[ \t\n\f/>]/i);
  return end === -1 || after.slice(0, end).includes('<!--') ? -1 : from + end;
}

/** The first of several attributes with one name is used. */
function readAttributes(source: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  if (source === '') return attributes;
  for (const [, name = '', double, single] of source.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decode(double ?? single ?? ''));
  }
  return attributes;
}

/** Decodes the references that `AMPERSAND` matches. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:([a-z]+)|#(\d+)|#[xX]([\da-fA-F]+));/g, (all, name, decimal, hex) =>
    name === undefined
      ? String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (NAMED[name] ?? all),
  );
}
