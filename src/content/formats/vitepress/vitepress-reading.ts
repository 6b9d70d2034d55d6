import { createReading } from '../../facts/index.ts';
import type { FileFacts, Span } from '../../model/index.ts';
import type { FrontMatterLink, PageRecorder, PreparedSource } from '../../parse/index.ts';
import { asList, asRecord } from '../untyped-values.ts';
import { includesOf, linesOutsideCode } from './include-directives.ts';
import { regionsIn } from './regions.ts';
import { vitepressHeadings } from './vitepress-headings.ts';

export const vitepressReading = createReading({
  key: 'vitepress',
  headings: vitepressHeadings,
  prepare: findDirectives,
  carrierOfLink,
  tag: recordTag,
  ownsMedia: true,
  frontMatterLinks: linksOfHome,
});

/** HTML elements whose `href` is not a link for readers, or is read for all formats. */
const NOT_COMPONENTS = new Set(['a', 'link', 'base', 'use', 'image']);
const MEDIA = new Set(['video', 'audio', 'source', 'embed']);

function recordTag(
  name: string,
  attributes: ReadonlyMap<string, string>,
  span: Span,
  page: PageRecorder,
): void {
  const href = attributes.get('href');
  if (href !== undefined && !NOT_COMPONENTS.has(name)) {
    page.addReference('attribute', href.trim(), span, { carrier: name });
  }
  if (!MEDIA.has(name)) return;
  for (const key of ['src', 'poster']) {
    const file = attributes.get(key);
    if (file !== undefined) page.addReference('html-image', file.trim(), span, { carrier: name });
  }
}

/**
 * Records the files that the builder includes: `<!--@include: part.md-->` and `<<< @/snippets/code.ts`
 * (https://vitepress.dev/guide/markdown#markdown-file-inclusion), ids that attributes set outside of headings, and whether
 * components render the page, whose anchors are not known.
 */
function findDirectives(source: string): PreparedSource {
  const isRendered = hasRenderedAnchors(source);
  const hasRegions = source.includes('endregion');
  const hasDirectives = ['@include:', '<<<', '{#', '<script'].some((marker) => source.includes(marker));
  const named = namedByComponents(source);
  if (!isRendered && !hasDirectives && !hasRegions && named.length === 0) return { source };
  return {
    source,
    after(page) {
      if (isRendered) page.openAnchors();
      for (const { name, line } of named) page.addAnchor(name, line);
      if (hasDirectives) recordLines(source, page);
      if (hasRegions) for (const region of regionsIn(source)) page.addRegion(region);
    },
  };
}

/**
 * True for pages from data with no heading below the first level, for pages with a component and no heading, for pages whose
 * components have named parts in them, and for pages with a component of the site's own, on a line of its own, that is told at
 * which level its headings are, is given what is made from data, or has no heading below the first level beside it.
 */
function hasRenderedAnchors(source: string): boolean {
  const isMadeFromData =
    source.includes('.data') &&
    /^[ \t]*import\s[^;]{0,500}?from\s+['"][^'"\n]*\.data(?:\.[cm]?[jt]s)?['"]/m.test(source);
  if (isMadeFromData && !/^ {0,3}#{2,6}\s/m.test(source)) return true;
  if (!/^ {0,3}#{1,6}\s/m.test(source)) return /<[A-Z][A-Za-z]*[\s/>]/.test(source);
  return NAMED_PART.test(source) || drawsHeadings(source, isMadeFromData);
}

/** The start of a component that has a part of the page in it, on a line of its own, and is told the name of that part. */
const NAMED_PART =
  /^[ \t]*<[A-Z]\w{0,60}\s(?:[^<>\n]{0,300}\s)?(?:name|anchor|heading)="[^<>\n]{0,300}(?<!\/)>[ \t]*\r?$/m;

/** A component without content on a line of its own that is told a name: `<ApiBox name="Session.set" />`. */
const NAMED_COMPONENT =
  /^[ \t]*<[A-Z]\w{0,60}\s(?:[^<>\n]{0,300}\s)?(?:name|anchor|heading)="([^"\n]{1,200})"[^<>\n]{0,300}\/>[ \t]*\r?$/;

/**
 * The ids that such components may give to what they draw: the name, and the name with dashes for its separators or for all
 * that is neither a letter nor a digit, as components for the documentation of an API do with `Session.set`, `Cursor#count`.
 */
function namedByComponents(source: string): readonly { readonly name: string; readonly line: number }[] {
  if (!source.includes('/>')) return [];
  return [...linesOutsideCode(source)].flatMap(({ text, line, inScript }) => {
    const name = inScript ? undefined : NAMED_COMPONENT.exec(text)?.[1];
    if (name === undefined) return [];
    const ids = new Set([name, name.replace(/[.#]/g, '-'), name.replace(/[^\p{L}\p{N}_]+/gu, '-')]);
    return [...ids].map((id) => ({ name: id, line }));
  });
}

function drawsHeadings(source: string, isMadeFromData: boolean): boolean {
  if (!source.includes('.vue')) return false;
  const own = new Set([...source.matchAll(OWN_COMPONENT)].map(([, name]) => name));
  if (own.size === 0) return false;
  const hasHeadings = /^ {0,3}#{2,6}\s/m.test(source);
  for (const [, name, attributes = ''] of source.matchAll(TAG_OF_A_LINE)) {
    const isTold = /\s:?level=/.test(attributes) || (isMadeFromData && /\s:[a-z][\w-]*=/.test(attributes));
    if (own.has(name) && (!hasHeadings || isTold)) return true;
  }
  return false;
}

const OWN_COMPONENT =
  /^[ \t]{0,20}import\s{1,20}([A-Z]\w{0,100})\s{1,20}from\s{1,20}['"][^'"\n]{1,500}\.vue['"]/gm;
const TAG_OF_A_LINE = /^<([A-Z]\w{0,100})(?=[\s/>])([^>]{0,500})>/gm;

/**
 * A link followed by `{target=…}` or `{download}` is not rewritten, so it need not lead to a page
 * (https://vitepress.dev/guide/routing#linking-to-non-vitepress-pages).
 */
function carrierOfLink(textAfter: string): string | null {
  return /^\{[^{}\n]{0,300}\b(?:target|download)\b[^{}\n]{0,300}\}/.test(textAfter) ? 'target' : null;
}

function recordLines(source: string, page: PageRecorder): void {
  for (const { text, line, inScript, offset } of linesOutsideCode(source)) {
    if (inScript) recordImport(text, line, page);
    // The line with the end tag of the script may contain more.
    if (inScript && !text.includes('</script>')) continue;
    for (const { target, part, start, end } of includesOf(text, offset)) {
      const span = spanOf(line, start - offset, source.slice(start, end));
      page.addReference('block', target, span, { carrier: 'include', text: part });
    }
    if (!text.includes('{#') || /^\s{0,3}#{1,6}\s/.test(text)) continue;
    for (const match of text.matchAll(/\{#([\w:.-]{1,200})[^{}]{0,300}\}/g))
      page.addAnchor(match[1] ?? '', line);
  }
}

/** Records a module that the page's script imports by a relative path. */
function recordImport(text: string, line: number, page: PageRecorder): void {
  const match =
    /^(\s*(?:<script\b[^>]{0,200}>\s*)?(?:import\b[^'"]{0,500}|\}\s*from\s*)['"])(\.{1,2}\/[^'"]{1,500})['"]/.exec(
      text,
    );
  if (match === null) return;
  const target = match[2] ?? '';
  page.addReference('import', target, spanOf(line, (match[1] ?? '').length, target), { carrier: 'import' });
}

function spanOf(line: number, start: number, text: string): Span {
  return { line, column: start + 1, endLine: line, endColumn: start + 1 + text.length };
}

/**
 * Links of the default theme's home page, and to the previous and next pages
 * (https://vitepress.dev/reference/frontmatter-config).
 */
function linksOfHome(values: FileFacts['frontMatter']): readonly FrontMatterLink[] {
  const links: FrontMatterLink[] = [];
  const add = (key: string, target: unknown) => {
    if (typeof target === 'string' && target !== '') links.push({ key, target });
  };
  const hero = asRecord(values['hero']);
  const image = asRecord(hero['image']);
  add('hero.image', hero['image']);
  for (const key of ['src', 'light', 'dark']) add(`hero.image.${key}`, image[key]);
  for (const action of asList(hero['actions'])) add('hero.actions.link', asRecord(action)['link']);
  for (const feature of asList(values['features'])) {
    add('features.link', asRecord(feature)['link']);
    add('features.icon.src', asRecord(asRecord(feature)['icon'])['src']);
  }
  for (const key of ['prev', 'next']) add(`${key}.link`, asRecord(values[key])['link']);
  return links;
}
