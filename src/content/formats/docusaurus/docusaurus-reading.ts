import { createReading } from '../../facts/index.ts';
import type { FileFacts, Span } from '../../model/index.ts';
import type { FrontMatterLink, PageNode, PageRecorder, PreparedSource } from '../../parse/index.ts';
import { CLOSE, docusaurusHeadings, OPEN } from './docusaurus-headings.ts';
import { FROM_BASE } from './target-kind.ts';

const shared = {
  headings: () => docusaurusHeadings(),
  prepare,
  enter: recordImports,
  tag: recordTag,
  ownsMedia: true,
  frontMatterLinks: paginationLinks,
} as const;
const withCase = { ...shared, headings: () => docusaurusHeadings(true) } as const;

/** Pages are MDX, also `.md` files, unless the configuration sets another format. */
export const mdxReading = createReading({ key: 'docusaurus', syntax: 'mdx', ...shared });
export const markdownPageReading = createReading({ key: 'docusaurus-md', ...shared });

/** Readings of a site whose heading ids keep upper and lower case. */
export const mdxReadingWithCase = createReading({ key: 'docusaurus-case', syntax: 'mdx', ...withCase });
export const markdownReadingWithCase = createReading({ key: 'docusaurus-md-case', ...withCase });

/** The ids of the previous and the next document in a document's front matter. */
function paginationLinks(values: FileFacts['frontMatter']): readonly FrontMatterLink[] {
  return ['pagination_prev', 'pagination_next'].flatMap((key) => {
    const target = values[key];
    return typeof target === 'string' && target !== '' ? [{ key, target }] : [];
  });
}

/**
 * Converts to MDX what the builder accepts in addition, without changing offsets: `{#id}` and a comment with an id after
 * headings, HTML comments, attributes of admonitions.
 */
function prepare(source: string): PreparedSource {
  const own = drawsOwnParts(unwrapMdxBlocks(source))
    ? { after: (page: PageRecorder) => page.openAnchors() }
    : {};
  if (!/[{]|<!--|^[ \t]*:::|mdx-code-block/m.test(source)) return { source, ...own };
  const readable = withoutTraps(commentsToMdx(unwrapMdxBlocks(source)));
  return {
    ...own,
    source: readable
      // With backslashes, the braces are text for MDX, which the builder reads alike.
      .replace(
        /^( {0,3}#{1,6}[ \t].*?)(\\?)\{#((?:[^{}\n\\]|\\(?=[!-/:-@[-`|~]))+)(\\?)\}([ \t]*\r?)$/gm,
        (_all, before: string, open: string, id: string, close: string, end: string) =>
          `${before}${open && ' '}${OPEN}#${id}${CLOSE}${close && ' '}${end}`,
      )
      .replace(
        /^( {0,3}#{1,6}[ \t].*)(\{[ \t]*\/\*[ \t]*#([\w:.-]+)[ \t]*\*\/[ \t]*\})/gm,
        (_all, before: string, comment: string, id: string) =>
          before + `${OPEN}#${id}${CLOSE}`.padEnd(comment.length),
      )
      .replace(/^([ \t]*:::.*)$/gm, (line) => line.replace(/[{}]/g, ' ')),
  };
}

/** Names that a page imports from a script of the repository, rather than from a page, a picture or data. */
const OWN_SCRIPT =
  /^import\s([\w\s{},*]{1,500}?)\sfrom\s*['"](?:\.{1,2}|@site)\/(?![^'"\n]*\.(?:mdx?|svg|png|jpe?g|gif|webp|json)['"])[^'"\n]{1,300}['"]/gm;

/** A component without text of the page, on lines of its own. */
const EMPTY_COMPONENT = /^[ \t]*<([A-Z]\w*)(?:\s[^<>]{0,1000})?\/>[ \t]*\r?$/gm;

/** Components that draw no text of a page. */
const WITHOUT_HEADINGS =
  /feedback|comment|rating|button|link|image|img|picture|figure|photo|logo|icon|badge|video|player|youtube|embed|iframe|snack|card|banner|divider|spacer|break|counter|chart|graph|meta|head$|seo|newsletter|playground|codeblock/i;

/** Whether a page has a component of the repository's own that draws a part of it, which may have headings. */
function drawsOwnParts(source: string): boolean {
  if (!source.includes('/>')) return false;
  const text = withoutFences(source);
  const names = new Set([...text.matchAll(OWN_SCRIPT)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []));
  if (names.size === 0) return false;
  return [...text.matchAll(EMPTY_COMPONENT)].some(
    ([, name = '']) => names.has(name) && !WITHOUT_HEADINGS.test(name),
  );
}

function withoutFences(source: string): string {
  let fence = '';
  const lines = source.split('\n').filter((line) => {
    const [, marks = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    const isOpen = fence !== '';
    if (!isOpen) fence = marks;
    else if (marks.startsWith(fence)) fence = '';
    return !isOpen && fence === '';
  });
  return lines.join('\n');
}

/**
 * Sum, over the paragraphs of a file, of braces times length in UTF-16 code units: about a second of the parser's work.
 */
const MAX_EXPRESSION_COST = 400_000_000;

/**
 * Replaces the braces of a text with thousands of expressions in a paragraph, which the parser would read again and
 * again.
 */
function withoutTraps(source: string): string {
  let cost = 0;
  let start = 0;
  while (start < source.length) {
    const blank = source.indexOf('\n\n', start);
    const end = blank === -1 ? source.length : blank;
    let braces = 0;
    for (let at = source.indexOf('{', start); at !== -1 && at < end; at = source.indexOf('{', at + 1))
      braces += 1;
    cost += braces * (end - start);
    // Stop when no brace is left: each search would run to the end of the text.
    if (braces === 0 && source.indexOf('{', end) === -1) break;
    start = end + 2;
  }
  return cost > MAX_EXPRESSION_COST ? source.replace(/[{}*]/g, '\u{fffd}') : source;
}

/** Removes the fences of blocks of `mdx-code-block`, whose code the builder reads as part of the page. */
function unwrapMdxBlocks(source: string): string {
  if (!source.includes('mdx-code-block')) return source;
  const lines = source.split('\n');
  let open: { readonly at: number; readonly fence: string } | null = null;
  for (const [at, line] of lines.entries()) {
    const [, fence = '', info = ''] = /^[ \t]*(`{3,})[ \t]*([^`\r]*?)[ \t]*\r?$/.exec(line) ?? [];
    if (open === null && info === 'mdx-code-block') open = { at, fence };
    else if (open !== null && info === '' && fence === open.fence) {
      for (const own of [open.at, at]) lines[own] = (lines[own] ?? '').replace(/[^\r]/g, ' ');
      open = null;
    }
  }
  return lines.join('\n');
}

/** Replaces HTML comments by MDX comments; one that is never closed is text. */
function commentsToMdx(source: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = source.indexOf('<!--'); start !== -1; start = source.indexOf('<!--', from)) {
    const end = source.indexOf('-->', start + 4);
    if (end === -1) break;
    parts.push(source.slice(from, start), '{/* ', source.slice(start + 4, end).replaceAll('*/', '  '), '*/}');
    from = end + 3;
  }
  return parts.join('') + source.slice(from);
}

const IMPORTS =
  /(?:^|[\n;])[ \t]*(?:import|export)\s(?:[^'";]{0,500}?\sfrom\s*)?['"]((?:\.{1,2}|@site)\/[^'"\n]+)['"]/g;

/** A part of a page under a name that a plugin gives to a folder; what it holds is not known. */
const ALIASED_PART =
  /(?:^|[\n;])[ \t]*import\s[^'";]{0,500}?\sfrom\s*['"](?!\.|\/|@site\/)[^'"\n]{1,300}\.mdx?['"]/;

/** Records `import Part from './_part.mdx'`: included pages, and other files that must exist. */
function recordImports(node: PageNode, page: PageRecorder): void {
  const { type, position } = node as { readonly type: string; readonly position?: PageNode['position'] };
  if (type !== 'mdxjsEsm' || position === undefined) return;
  const { value } = node as unknown as { readonly value: string };
  if (ALIASED_PART.test(value)) page.openAnchors();
  let line = position.start.line;
  let lineStart = 0;
  for (const match of value.matchAll(IMPORTS)) {
    const at = match.index + match[0].length - (match[1] ?? '').length - 1;
    for (
      let end = value.indexOf('\n', lineStart);
      end !== -1 && end < at;
      end = value.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = end + 1;
    }
    const target = match[1] ?? '';
    const column = at - lineStart + 1;
    const span = { line, column, endLine: line, endColumn: column + target.length };
    // A script's backslash before a sign such as `_`, which formatters of Markdown write, stands for the sign.
    const path = target.replace(/\\([^\w\\]|_)/g, '$1');
    page.addReference('import', path, span, { carrier: /\.mdx?$/.test(path) ? 'include' : 'import' });
  }
}

/** HTML elements whose `href` is read for all formats, or is not a link. */
const NATIVE = new Set(['a', 'base', 'use', 'area']);
const MEDIA = new Set(['video', 'audio', 'source', 'embed', 'img']);

/** Components that render lists in which each entry has an anchor. */
const RENDERS_ANCHORS =
  /^(?!table$|doccardlist$|datalist$)[\w.]*(?:table|list|schema|reference|props|api|endpoint)$/i;

/** Links of components (`<Link to>`, `<Card href>`), and files that expressions name. */
function recordTag(
  name: string,
  attributes: ReadonlyMap<string, string>,
  span: Span,
  page: PageRecorder,
): void {
  const record = (key: string, value: string | undefined) => {
    if (value === undefined || value === '') return;
    const isPicture = key === 'src' || key === 'poster';
    const [call, argument] = readCall(value);
    if (call !== null && argument !== null) {
      const kind = call === 'require' ? 'import' : isPicture ? 'html-image' : 'attribute';
      page.addReference(kind, argument, span, { carrier: isFromBase(call, argument) ? FROM_BASE : name });
    } else if (!value.startsWith('{') && name !== 'a' && name !== 'img') {
      page.addReference(isPicture ? 'html-image' : 'attribute', value, span, { carrier: name });
    }
  };
  if (!NATIVE.has(name) && !(name === 'link' && attributes.has('rel'))) {
    record('to', attributes.get('to'));
    record('href', attributes.get('href'));
  } else if (attributes.get('href')?.startsWith('{') === true) {
    record('href', attributes.get('href'));
  }
  if (RENDERS_ANCHORS.test(name)) page.openAnchors();
  if (MEDIA.has(name)) record('src', attributes.get('src'));
  if (name === 'video') record('poster', attributes.get('poster'));
}

function isFromBase(call: string, argument: string): boolean {
  return call === FROM_BASE && !/^(?:[/#]|@site\/|[a-z][a-z0-9+.-]*:)/i.test(argument);
}

/** The function and argument of `{useBaseUrl('/x')}` and `{require('./x.png').default}`; null for other values. */
function readCall(value: string): readonly [string | null, string | null] {
  const match = /^\{\s*(useBaseUrl|require)\(\s*['"`]([^'"`$]+)['"`]\s*\)(?:\.default)?\s*\}$/.exec(value);
  return [match?.[1] ?? null, match?.[2] ?? null];
}
