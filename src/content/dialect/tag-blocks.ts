/** One `{% name … %}` of a page. Lines and columns start at 1; the end is exclusive. */
export interface Tag {
  readonly name: string;
  /** Named arguments, and the first one without a name under `''`. */
  readonly values: ReadonlyMap<string, string>;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the tags of a page outside code, comments and front matter. Tags never span lines. Samples of Liquid, Helm and
 * workflows are in code and stay unchanged. One pass over the text.
 */
export function findTags(source: string): readonly Tag[] {
  const tags: Tag[] = [];
  if (!source.includes('{%')) return tags;
  const state: LineState = { fence: null, inComment: false };
  let line = 0;
  let inFrontMatter = /^---[ \t]*\r?\n/.test(source);
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start);
    const end = newline === -1 ? source.length : newline;
    line += 1;
    if (inFrontMatter) {
      inFrontMatter =
        line === 1 || !/^(?:---|\.\.\.)[ \t]*\r?$/.test(source.slice(start, Math.min(end, start + 40)));
    } else {
      readLine(source.slice(start, end), line, start, state, tags);
    }
    start = end + 1;
  }
  return tags;
}

interface LineState {
  /** The open fence's character and length. */
  fence: { readonly character: string; readonly length: number } | null;
  inComment: boolean;
}

function readLine(text: string, line: number, offset: number, state: LineState, tags: Tag[]): void {
  const fence = /^[ \t>]*(?:[*+-][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})(.*)$/.exec(text);
  const marks = fence?.[1] ?? '';
  if (state.fence !== null) {
    const closes = marks.startsWith(state.fence.character) && marks.length >= state.fence.length;
    if (closes && (fence?.[2] ?? '').trim() === '') state.fence = null;
    return;
  }
  if (marks !== '' && !state.inComment && !(marks.startsWith('`') && (fence?.[2] ?? '').includes('`'))) {
    state.fence = { character: marks.charAt(0), length: marks.length };
    return;
  }
  let ends: CodeEnds | null = null;
  for (let at = 0; at < text.length; ) {
    if (state.inComment) {
      const end = text.indexOf('-->', at);
      if (end === -1) return;
      state.inComment = false;
      at = end + 3;
    } else if (text.startsWith('<!--', at)) {
      state.inComment = true;
      at += 4;
    } else if (text[at] === '\\') {
      at += 2;
    } else if (text[at] === '`') {
      at = afterCode(text, at);
    } else if (text[at] === '<') {
      ends ??= { code: text.lastIndexOf('</code>'), pre: text.lastIndexOf('</pre>') };
      at = afterCodeElement(text, at, ends);
    } else if (text.startsWith('{%', at)) {
      const end = text.indexOf('%}', at + 2);
      if (end === -1) return;
      const tag = readTag(text.slice(at + 2, end));
      if (tag !== null) {
        const span = { line, column: at + 1, endColumn: end + 3, start: offset + at, end: offset + end + 2 };
        tags.push({ ...tag, ...span });
      }
      at = end + 2;
    } else {
      at = nextMark(text, at + 1);
    }
  }
}

const CODE_ELEMENT = /<(code|pre)[\s>]/y;

/** The offset after `<code>…</code>` on this line, which may contain samples of other languages; else after the `<`. */
function afterCodeElement(text: string, start: number, ends: CodeEnds): number {
  CODE_ELEMENT.lastIndex = start;
  const name = CODE_ELEMENT.exec(text)?.[1] === 'pre' ? 'pre' : 'code';
  const isElement = CODE_ELEMENT.lastIndex > start && ends[name] > start;
  return isElement ? text.indexOf(`</${name}>`, start) : nextMark(text, start + 1);
}

/** The offsets of the last end tags of a line; -1 for none. */
interface CodeEnds {
  readonly code: number;
  readonly pre: number;
}

function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // `{`, `<`, backtick and backslash.
    if (code === 123 || code === 60 || code === 96 || code === 92) return at;
  }
  return text.length;
}

/** The offset after a code span of this line, or after the backticks when nothing closes them here. */
function afterCode(text: string, start: number): number {
  let opened = start;
  while (text[opened] === '`') opened += 1;
  const length = opened - start;
  for (let at = opened; at < text.length; ) {
    const next = text.indexOf('`', at);
    if (next === -1) break;
    let end = next;
    while (text[end] === '`') end += 1;
    if (end - next === length) return end;
    at = end;
  }
  return opened;
}

/** Arguments are cut at this length. */
const MAX_ARGUMENTS = 8_000;

function readTag(inner: string): Pick<Tag, 'name' | 'values'> | null {
  const match = /^-?\s*([@\w][\w/@-]*)/.exec(inner.slice(0, 200));
  const name = match?.[1];
  if (match === null || name === undefined) return null;
  return { name, values: readValues(inner.slice(match[0].length).slice(0, MAX_ARGUMENTS)) };
}

/** `key="value"` pairs and one bare string; a quote that is never closed extends to the end. */
function readValues(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const token =
    /([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|[“”]([^“”]*)(?:[“”]|$)|([^\s"'“”]+))|"([^"]*)(?:"|$)|'([^']*)(?:'|$)|(\S)/g;
  for (const [, key, double, single, smart, plain, bare, bareSingle] of text.matchAll(token)) {
    const unnamed = bare ?? bareSingle;
    if (key !== undefined) values.set(key, (double ?? single ?? smart ?? plain ?? '').trim());
    else if (unnamed !== undefined && !values.has('')) values.set('', unnamed.trim());
  }
  return values;
}
