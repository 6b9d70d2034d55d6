import { createReading } from '../../facts/index.ts';
import type { FileFacts, Span } from '../../model/index.ts';
import type { FrontMatterLink, PageRecorder, PreparedSource } from '../../parse/index.ts';
import { includesOf, linesOutsideCode } from './include-directives.ts';
import { regionsIn } from './regions.ts';
import { vitepressHeadings } from './vitepress-headings.ts';

export const vitepressReading = createReading({
  key: 'vitepress',
  headings: vitepressHeadings,
  prepare: findDirectives,
  carrierOfLink,
  tag: noteTag,
  ownsMedia: true,
  frontMatterLinks: linksOfHome,
});

/** Elements of HTML whose `href` is no link for readers, or that the page's walk knows. */
const NOT_COMPONENTS = new Set(['a', 'link', 'base', 'use', 'image']);
const MEDIA = new Set(['video', 'audio', 'source', 'embed']);

function noteTag(
  name: string,
  attributes: ReadonlyMap<string, string>,
  place: Span,
  page: PageRecorder,
): void {
  const href = attributes.get('href');
  if (href !== undefined && !NOT_COMPONENTS.has(name)) {
    page.addReference('attribute', href.trim(), place, { carrier: name });
  }
  if (!MEDIA.has(name)) return;
  for (const key of ['src', 'poster']) {
    const file = attributes.get(key);
    if (file !== undefined) page.addReference('html-image', file.trim(), place, { carrier: name });
  }
}

/**
 * Finds what the builder puts into the page: `<!--@include: part.md-->` and `<<< @/snippets/code.ts`
 * (https://vitepress.dev/guide/markdown#markdown-file-inclusion), ids that attributes give to other things than headings,
 * and pages that are drawn by components, whose anchors only the site knows.
 */
function findDirectives(source: string): PreparedSource {
  const isDrawn = drawsAnchors(source);
  const hasRegions = source.includes('endregion');
  const hasDirectives = ['@include:', '<<<', '{#', '<script'].some((mark) => source.includes(mark));
  if (!isDrawn && !hasDirectives && !hasRegions) return { source };
  return {
    source,
    after(page) {
      if (isDrawn) page.openAnchors();
      if (hasDirectives) recordLines(source, page);
      if (hasRegions) for (const region of regionsIn(source)) page.addRegion(region);
    },
  };
}

/** Pages without headings of their own below the first, made from data, and pages with none that show a component. */
function drawsAnchors(source: string): boolean {
  const isMadeFromData =
    source.includes('.data') &&
    /^[ \t]*import\s[^;]{0,500}?from\s+['"][^'"\n]*\.data(?:\.[cm]?[jt]s)?['"]/m.test(source);
  if (isMadeFromData && !/^ {0,3}#{2,6}\s/m.test(source)) return true;
  return !/^ {0,3}#{1,6}\s/m.test(source) && /<[A-Z][A-Za-z]*[\s/>]/.test(source);
}

/**
 * A link with `{target=…}` or `{download}` behind it is left as it is, so that it need not lead to a page
 * (https://vitepress.dev/guide/routing#linking-to-non-vitepress-pages).
 */
function carrierOfLink(textBehind: string): string | null {
  return /^\{[^{}\n]{0,300}\b(?:target|download)\b[^{}\n]{0,300}\}/.test(textBehind) ? 'target' : null;
}

function recordLines(source: string, page: PageRecorder): void {
  for (const { text, line, inScript, offset } of linesOutsideCode(source)) {
    if (inScript) recordImport(text, line, page);
    // The line that ends the script may hold more.
    if (inScript && !text.includes('</script>')) continue;
    for (const { target, part, start, end } of includesOf(text, offset)) {
      const place = spanOf(line, start - offset, source.slice(start, end));
      page.addReference('block', target, place, { carrier: 'include', text: part });
    }
    if (!text.includes('{#') || /^\s{0,3}#{1,6}\s/.test(text)) continue;
    for (const match of text.matchAll(/\{#([\w:.-]{1,200})[^{}]{0,300}\}/g))
      page.addAnchor(match[1] ?? '', line);
  }
}

/** A module beside the page that its script takes in. */
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

/** Links of the default theme's home page and of the pages before and after (https://vitepress.dev/reference/frontmatter-config). */
function linksOfHome(values: FileFacts['frontMatter']): readonly FrontMatterLink[] {
  const links: FrontMatterLink[] = [];
  const add = (key: string, target: unknown) => {
    if (typeof target === 'string' && target !== '') links.push({ key, target });
  };
  const hero = recordOf(values['hero']);
  const image = recordOf(hero['image']);
  add('hero.image', hero['image']);
  for (const key of ['src', 'light', 'dark']) add(`hero.image.${key}`, image[key]);
  for (const action of listOf(hero['actions'])) add('hero.actions.link', recordOf(action)['link']);
  for (const feature of listOf(values['features'])) {
    add('features.link', recordOf(feature)['link']);
    add('features.icon.src', recordOf(recordOf(feature)['icon'])['src']);
  }
  for (const key of ['prev', 'next']) add(`${key}.link`, recordOf(values[key])['link']);
  return links;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
