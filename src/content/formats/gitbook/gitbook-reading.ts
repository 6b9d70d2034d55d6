import { findTags, type Tag } from '../../dialect/index.ts';
import { createReading, muteMath } from '../../facts/index.ts';
import type { FileFacts, Span } from '../../model/index.ts';
import type { PageRecorder, PreparedSource, ReadingOptions } from '../../parse/index.ts';
import { recordExpression, variablesIn } from './expressions.ts';
import { gitbookHeadings } from './gitbook-headings.ts';
import { findHtmlBlocks } from './html-blocks.ts';

/** The argument of each block that is a link or file. `''` is the one without a name. */
const CARRIERS: Readonly<Record<string, string>> = {
  include: '',
  'content-ref': 'url',
  embed: 'url',
  file: 'src',
  openapi: 'src',
  swagger: 'src',
  'page-ref': 'page',
};

/** Blocks whose anchors are made at run time from a specification. */
const GENERATING = /^(?:openapi(?:-operation|-schemas|-webhook)?|swagger)$/;

/** Blocks that name a specification of the organization, which is no file. */
const NAMING = /^openapi-(?:operation|schemas|webhook)$/;

/** Blocks with a body that only repeats the link, or that GitBook writes again by itself. */
const REPEATING = /^(?:content-ref|swagger|openapi(?:-operation|-schemas|-webhook)?)$/;

const options = {
  headings: gitbookHeadings,
  headingElements: ['summary'],
  prepare: prepareBlocks,
  tag: readHtmlBlock,
  frontMatterLinks: readFrontMatterLinks,
} satisfies Omit<ReadingOptions, 'key'>;

/** A page or include: blocks are no Markdown, and hold links. */
export const gitbookReading = createReading({ ...options, key: 'gitbook' });

export const gitbookContentsReading = createReading({
  ...options,
  key: 'gitbook-contents',
  hasContents: true,
});

/** Blanks the blocks' tags, and bodies that say nothing new, and notes the links and anchors that they hold. */
function prepareBlocks(original: string): PreparedSource {
  const source = muteHtmlBlocks(muteMath(original));
  const tags = findTags(source);
  const noteVariables = variablesIn(source);
  if (tags.length === 0) return { source, ...(noteVariables === null ? {} : { after: noteVariables }) };
  const notes: ((page: PageRecorder) => void)[] = [];
  const parts: string[] = [];
  let end = 0;
  const crowded = crowdedLines(source, tags);
  const blankTo = (start: number, stop: number, filler: string) => {
    parts.push(source.slice(end, start), source.slice(start, stop).replace(/[^\n\r]/g, filler));
    end = stop;
  };
  for (const [at, tag] of tags.entries()) {
    const next = tags[at + 1];
    const body =
      REPEATING.test(tag.name) && next?.name === `end${tag.name}` ? source.slice(tag.end, next.start) : '';
    const link = loneLink(body);
    // Spaces before text would make it code, and other signs on a line of their own a paragraph.
    blankTo(tag.start, tag.end, crowded.has(tag.line) ? '\u{a0}' : ' ');
    if (link !== null) blankTo(tag.end, tag.end + body.length, ' ');
    notes.push((page) => noteTag(tag, page));
    if (link !== null && tag.name !== 'content-ref' && link !== targetOf(tag)) {
      const place = spanOfBody(tag, body);
      notes.push((page) => page.addReference('link', link, place, { carrier: tag.name }));
    }
  }
  parts.push(source.slice(end));
  return {
    source: parts.join(''),
    after: (page) => {
      for (const note of notes) note(page);
      noteVariables?.(page);
    },
  };
}

/** Blanks the body of a block in HTML that repeats the block's link. */
function muteHtmlBlocks(source: string): string {
  if (!source.includes('data-gb-custom-block')) return source;
  const parts: string[] = [];
  let end = 0;
  for (const { name, hasTarget, start, body } of findHtmlBlocks(source)) {
    const isRepeated = REPEATING.test(name) && (hasTarget || name !== 'content-ref');
    if (start < end || !isRepeated || loneLink(body) === null) continue;
    parts.push(source.slice(end, start), body.replace(/[^\n\r]/g, ' '));
    end = start + body.length;
  }
  return parts.join('') + source.slice(end);
}

/** Lines that hold more than tags, quote marks and list markers. */
function crowdedLines(source: string, tags: readonly Tag[]): ReadonlySet<number> {
  const crowded = new Set<number>();
  for (const [at, tag] of tags.entries()) {
    const previous = tags[at - 1];
    const next = tags[at + 1];
    const start = previous?.line === tag.line ? previous.end : tag.start - (tag.column - 1);
    const newline = source.indexOf('\n', tag.end);
    const end = next?.line === tag.line ? next.start : newline === -1 ? source.length : newline;
    const before = source.slice(start, tag.start);
    if (
      !/^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?$/.test(before) ||
      source.slice(tag.end, end).trim() !== ''
    ) {
      crowded.add(tag.line);
    }
  }
  return crowded;
}

function noteTag(tag: Tag, page: PageRecorder): void {
  if (GENERATING.test(tag.name)) page.openAnchors();
  const title = tag.name === 'tab' ? tag.values.get('title') : undefined;
  if (title !== undefined) page.addHeading(title, 0, tag.line);
  const target = targetOf(tag);
  if (target !== undefined) page.addReference('block', target, spanOf(tag), { carrier: tag.name });
  const spec = NAMING.test(tag.name) ? tag.values.get('spec') : undefined;
  if (spec) {
    const text = operationOf(tag.values.get('method'), tag.values.get('path'));
    page.addReference('block', spec, spanOf(tag), { carrier: tag.name, text });
  }
}

/** What a block shows of its specification, `GET /pets`; empty where it names no operation. */
function operationOf(method: string | undefined, path: string | undefined): string {
  return method === undefined || path === undefined ? '' : `${method.toUpperCase()} ${path}`;
}

/** The link or file that a tag names. */
function targetOf(tag: Tag): string | undefined {
  const argument = tag.name.startsWith('@') ? 'url' : CARRIERS[tag.name];
  return argument === undefined ? undefined : tag.values.get(argument);
}

function spanOf({ line, column, endColumn }: Tag): Span {
  return { line, column, endLine: line, endColumn };
}

/** Where the text of a body stands that follows its tag. */
function spanOfBody(tag: Tag, body: string): Span {
  const text = body.trim();
  const before = body.slice(0, body.indexOf(text));
  const start = stepOver(before, tag.line, tag.endColumn);
  const end = stepOver(text, start.line, start.column);
  return { ...start, endLine: end.line, endColumn: end.column };
}

function stepOver(text: string, line: number, column: number) {
  const lines = text.split('\n');
  const last = lines.at(-1)?.length ?? 0;
  return { line: line + lines.length - 1, column: lines.length === 1 ? column + last : last + 1 };
}

/** The destination of a body that is one link and nothing else; null for every other body. */
function loneLink(body: string): string | null {
  const text = body.trim();
  if (!text.startsWith('[') || !text.endsWith(')') || text.includes('\n\n') || text.length > 4_000)
    return null;
  const opens = text.lastIndexOf('](');
  if (opens === -1) return null;
  const said = text.slice(opens + 2, -1).trim();
  const bracketed = /^<([^<>\n]*)>/.exec(said)?.[1];
  const [plain = ''] = said.split(/\s+["'(]/, 1);
  return (bracketed ?? plain).replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Blocks inside tables and lists are exported as HTML with the arguments as data attributes. */
function readHtmlBlock(
  name: string,
  attributes: ReadonlyMap<string, string>,
  place: Span,
  page: PageRecorder,
): void {
  recordExpression(name, attributes, place, page);
  if (!attributes.has('data-gb-custom-block')) return;
  const carrier = attributes.get('data-tag') ?? '';
  if (GENERATING.test(carrier)) page.openAnchors();
  const title = carrier === 'tab' ? attributes.get('data-title') : undefined;
  if (title !== undefined) page.addHeading(title, 0, place.line);
  const spec = NAMING.test(carrier) ? attributes.get('data-spec') : undefined;
  if (spec) {
    const text = operationOf(attributes.get('data-method'), attributes.get('data-path'));
    page.addReference('block', spec, place, { carrier, text });
  }
  const argument = CARRIERS[carrier];
  if (argument === undefined) return;
  const target = attributes.get(`data-${argument}`) ?? attributes.get('data-0');
  if (target !== undefined) page.addReference('block', target, place, { carrier });
}

function readFrontMatterLinks({ cover, coverDark, metaLinks }: FileFacts['frontMatter']) {
  const links: { readonly key: string; readonly target: string }[] = [];
  const add = (key: string, value: unknown) => {
    if (typeof value === 'string' && value.trim() !== '') links.push({ key, target: value.trim() });
  };
  add('cover', cover);
  add('coverDark', coverDark);
  if (typeof cover === 'object' && cover !== null) {
    const { light, dark } = cover as { light?: unknown; dark?: unknown };
    add('cover.light', light);
    add('cover.dark', dark);
  }
  if (typeof metaLinks === 'object' && metaLinks !== null) {
    const { canonical, alternates } = metaLinks as { canonical?: unknown; alternates?: unknown };
    add('metaLinks.canonical', canonical);
    if (Array.isArray(alternates)) for (const alternate of alternates) add('metaLinks.alternates', alternate);
  }
  return links;
}
