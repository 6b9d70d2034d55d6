import { createReading } from '../../facts/index.ts';
import type { FileFacts, Span } from '../../model/index.ts';
import type { FrontMatterLink, PageNode, PageRecorder, PreparedSource } from '../../parse/index.ts';
import { CLOSE, docusaurusHeadings, OPEN } from './docusaurus-headings.ts';

const shared = {
  headings: () => docusaurusHeadings(),
  prepare,
  enter: recordImports,
  tag: recordTag,
  ownsMedia: true,
  frontMatterLinks: paginationLinks,
} as const;
const withCase = { ...shared, headings: () => docusaurusHeadings(true) } as const;

/** Pages are MDX, also those that end with `.md`, unless the configuration says otherwise. */
export const mdxReading = createReading({ key: 'docusaurus', syntax: 'mdx', ...shared });
export const markdownPageReading = createReading({ key: 'docusaurus-md', ...shared });

/** Pages of a site whose headings keep upper and lower case in their ids. */
export const mdxReadingWithCase = createReading({ key: 'docusaurus-case', syntax: 'mdx', ...withCase });
export const markdownReadingWithCase = createReading({ key: 'docusaurus-md-case', ...withCase });

/** The documents that a document names as those before and after it, by their ids. */
function paginationLinks(values: FileFacts['frontMatter']): readonly FrontMatterLink[] {
  return ['pagination_prev', 'pagination_next'].flatMap((key) => {
    const target = values[key];
    return typeof target === 'string' && target !== '' ? [{ key, target }] : [];
  });
}

/**
 * Makes MDX of what the builder accepts beside it, one code unit for one: `{#id}` and a comment with an id behind
 * headings, HTML comments, attributes of admonitions.
 */
function prepare(source: string): PreparedSource {
  if (!/[{]|<!--|^[ \t]*:::/m.test(source)) return { source };
  const readable = withoutTraps(commentsToMdx(source));
  return {
    source: readable
      .replace(/^( {0,3}#{1,6}[ \t].*)\{#([^{}\n]+)\}([ \t]*\r?)$/gm, `$1${OPEN}#$2${CLOSE}$3`)
      .replace(
        /^( {0,3}#{1,6}[ \t].*)(\{\/\*[ \t]*#([\w:.-]+)[ \t]*\*\/\})/gm,
        (_all, before: string, comment: string, id: string) =>
          before + `${OPEN}#${id}${CLOSE}`.padEnd(comment.length),
      )
      .replace(/^([ \t]*:::.*)$/gm, (line) => line.replace(/[{}]/g, ' ')),
  };
}

/** Braces times length of what stands between blank lines, in a whole file: a second of the parser's work. */
const MAX_EXPRESSION_COST = 400_000_000;

/** Takes the braces out of a text with expressions by the thousand in a paragraph, which the parser reads again and again. */
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
    // Without any brace further on, each search would run to the end of the text.
    if (braces === 0 && source.indexOf('{', end) === -1) break;
    start = end + 2;
  }
  return cost > MAX_EXPRESSION_COST ? source.replace(/[{}*]/g, '\u{fffd}') : source;
}

/** HTML comments as MDX knows them; one that is never closed is text. */
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
  /(?:^|\n)[ \t]*(?:import|export)\s(?:[^'";]{0,500}?\sfrom\s*)?['"]((?:\.{1,2}|@site)\/[^'"\n]+)['"]/g;

/** `import Part from './_part.mdx'`: pages that are put into this one, and files that must be there. */
function recordImports(node: PageNode, page: PageRecorder): void {
  const { type, position } = node as { readonly type: string; readonly position?: PageNode['position'] };
  if (type !== 'mdxjsEsm' || position === undefined) return;
  const { value } = node as unknown as { readonly value: string };
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
    const place = { line, column, endLine: line, endColumn: column + target.length };
    page.addReference('import', target, place, { carrier: /\.mdx?$/.test(target) ? 'include' : 'import' });
  }
}

/** Elements of HTML whose `href` the page's walk knows, or that are no links. */
const NATIVE = new Set(['a', 'base', 'use', 'area']);
const MEDIA = new Set(['video', 'audio', 'source', 'embed', 'img']);

/** Components that list what they document, each entry with an anchor of its own. */
const DRAWS_ANCHORS = /^(?!table$|doccardlist$|datalist$)[\w.]*(?:table|list|schema|reference|props|api)$/i;

/** Links of components (`<Link to>`, `<Card href>`), and files that expressions name. */
function recordTag(
  name: string,
  attributes: ReadonlyMap<string, string>,
  place: Span,
  page: PageRecorder,
): void {
  const note = (key: string, value: string | undefined) => {
    if (value === undefined || value === '') return;
    const isPicture = key === 'src' || key === 'poster';
    const [call, argument] = readCall(value);
    if (call !== null && argument !== null) {
      const kind = call === 'require' ? 'import' : isPicture ? 'html-image' : 'attribute';
      page.addReference(kind, argument, place, { carrier: name });
    } else if (!value.startsWith('{') && name !== 'a' && name !== 'img') {
      page.addReference(isPicture ? 'html-image' : 'attribute', value, place, { carrier: name });
    }
  };
  if (!NATIVE.has(name) && !(name === 'link' && attributes.has('rel'))) {
    note('to', attributes.get('to'));
    note('href', attributes.get('href'));
  } else if (attributes.get('href')?.startsWith('{') === true) {
    note('href', attributes.get('href'));
  }
  if (DRAWS_ANCHORS.test(name)) page.openAnchors();
  if (MEDIA.has(name)) note('src', attributes.get('src'));
  if (name === 'video') note('poster', attributes.get('poster'));
}

/** `{useBaseUrl('/x')}` and `{require('./x.png').default}`. */
function readCall(value: string): readonly [string | null, string | null] {
  const match = /^\{\s*(useBaseUrl|require)\(\s*['"`]([^'"`$]+)['"`]\s*\)(?:\.default)?\s*\}$/.exec(value);
  return [match?.[1] ?? null, match?.[2] ?? null];
}
