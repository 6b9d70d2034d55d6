import { createReading } from '../../facts/index.ts';
import type { Region } from '../../model/index.ts';
import type { PageNode, PageRecorder, PreparedSource, Reading } from '../../parse/index.ts';
import { idsOf, mkdocsHeadings, slugOf } from './heading-ids.ts';
import type { HeadingOptions } from './heading-options.ts';
import { endHtmlBlocks } from './html-blocks.ts';
import { mapOutsideFences } from './outside-fences.ts';
import { snippetsIn } from './snippets.ts';

const readings = new Map<string, Reading>();

/** Returns the reading of pages under these options; the same object for equal options. */
export function mkdocsReading(options: HeadingOptions): Reading {
  const { slugs, separator, attributes, snippets, templates, insideHtml = false, tabs = null } = options;
  const key = `mkdocs:${JSON.stringify([slugs, separator, attributes, snippets, templates, insideHtml, tabs])}`;
  const known = readings.get(key);
  if (known !== undefined) return known;
  const reading = createReading({
    key,
    headings: mkdocsHeadings(options),
    prepare: (source) => prepare(endHtmlBlocks(insideHtml ? openHtml(source) : source), options),
    enter: (node, page) => enterNode(node, page, options),
  });
  if (readings.size < 100) readings.set(key, reading);
  return reading;
}

/** The name of parts in which the plugin codeinclude shows code in the place of links. */
export const SHOWN_CODE = 'codeinclude';

/** The parts between the comments `<!--codeinclude-->` and `<!--/codeinclude-->`. */
function* partsOfShownCode(source: string): Iterable<Region> {
  if (!source.includes('codeinclude')) return;
  let start: number | null = null;
  for (const [at, line] of source.split('\n').entries()) {
    if (start === null && /<!--\s{0,9}codeinclude\s{0,9}-->/.test(line)) start = at + 1;
    if (start === null || !/<!--\s{0,9}\/codeinclude\s{0,9}-->/.test(line)) continue;
    yield { name: SHOWN_CODE, line: start, endLine: at + 1 };
    start = null;
  }
}

/** An HTML tag whose contents are Markdown, alone on its line. */
const MARKDOWN_TAG =
  /^([ \t]{0,60})(<[a-z][\w-]{0,30}\s(?:[^<>\n]{0,500}\s)?markdown(?:=["']?\w+["']?)?(?:\s[^<>\n]{0,500})?>)[ \t]*\r?$/gim;

/**
 * Blanks tags with the attribute `markdown`, and end tags alone on a line, so that the text between them is read as
 * Markdown; a tag with an id becomes an anchor of the same length (Python-Markdown, extension `md_in_html`).
 */
function openHtml(source: string): string {
  if (!/\smarkdown[=\s>]/.test(source)) return source;
  return source
    .replace(MARKDOWN_TAG, (line, indent: string, tag: string) => {
      const id = /\sid=(["'])([^"'<>\n]{1,200})\1/.exec(tag)?.[2];
      // An inline element does not prevent the lines below it from being Markdown.
      const anchor = id === undefined ? '' : `<a id="${id}"></a>`;
      return anchor.length > tag.length ? line : indent + anchor.padEnd(line.length - indent.length);
    })
    .replace(
      /^[ \t]*<\/(?:div|figure|figcaption|section|article|details|aside|main|header|footer|p|span|ul|ol|li|table|td|tr)>[ \t]*\r?$/gim,
      (line) => ' '.repeat(line.length),
    );
}

/**
 * Translates Python-Markdown's blocks to CommonMark. The contents of admonitions, tabs and definitions are indented by four
 * spaces, which is code in CommonMark, so their first line becomes a list item of the same length.
 */
function prepare(source: string, options: HeadingOptions): PreparedSource {
  const { snippets, tabs } = options;
  const titles: { readonly text: string; readonly line: number }[] = [];
  const found = snippets ? snippetsIn(source).snippets : [];
  const headings: { readonly text: string; readonly level: number; readonly line: number }[] = [];
  const prepared = mapOutsideFences(source, (line, at) => {
    const title = tabs === undefined ? undefined : /^[ \t]*===[!+]{0,2} "([^"\n]{1,500})"/.exec(line)?.[1];
    if (title !== undefined) titles.push({ text: title, line: at + 1 });
    const heading = /^(#{1,6})([^#\s].*)$/.exec(line);
    if (heading !== null) {
      headings.push({
        text: withoutClosingHashes(heading[2] ?? ''),
        level: heading[1]?.length ?? 1,
        line: at + 1,
      });
    }
    return withoutAnchorLinks(line, options).replace(
      CONTAINER,
      (_all, indent: string, marker: string) => `${indent}-   ${'x'.repeat(marker.length - 4)}`,
    );
  });
  return {
    source: prepared,
    after(page) {
      for (const part of partsOfShownCode(source)) page.addRegion(part);
      if (tabs === 'unknown' && titles.length > 0) page.openAnchors();
      for (const { text, line } of titles) page.addAnchor(slugOf(text.replace(/[`*]/g, ''), options), line);
      // Python-Markdown needs no space between `#` and the heading's text.
      for (const { text, level, line } of headings)
        page.addHeading(text.replace(/[`*]/g, '').trim(), level, line);
      for (const { target, line, column } of found) {
        const span = { line, column, endLine: line, endColumn: column + target.length };
        page.addReference('block', target, span, { carrier: 'include' });
      }
    },
  };
}

/**
 * Replaces the empty link of an anchor (`[](){#id}`), which leads nowhere on purpose, by characters that are not seen. The
 * attributes after it stay.
 */
function withoutAnchorLinks(line: string, { attributes }: HeadingOptions): string {
  if (!attributes || !line.includes('[](){')) return line;
  return line.replace(/\[\]\(\)(?=\{:?[^{}\n]{0,200}#[^{}\n]{1,200}\})/g, (link, at: number) => {
    const isCode = (line.slice(0, at).match(/`/g)?.length ?? 0) % 2 === 1;
    return isCode ? link : '\u200b'.repeat(link.length);
  });
}

/** The start of an admonition, a fold, a tab, or a definition. */
const CONTAINER = /^([ \t]*)(!!! |\?\?\? |\?\?\?\+ |===[!+]? (?=["'])|: {3})(?=\S)/;

function enterNode(node: PageNode, page: PageRecorder, { attributes, templates }: HeadingOptions): void {
  if (node.type !== 'text') return;
  const { value, position } = node;
  const line = position?.start.line ?? 1;
  if (attributes && value.includes('{')) {
    for (const list of value.matchAll(/\{:?([^{}\n]*)\}/g)) {
      for (const id of idsOf(list[1] ?? '')) page.addAnchor(id, line);
    }
  }
  if (templates && /\{[{%!]|^([#%@]{1,2})[A-Z_]{3,60}\1(?!\w)/m.test(value)) page.openAnchors();
  const block = value.startsWith(':::') ? /^:::[ \t]*([\w.:-]+)/.exec(value)?.[1] : undefined;
  if (block === undefined) return;
  // The documentation of a Python object has its name as the anchor, and a member's a dotted name. Other blocks have
  // unknown ones.
  if (/^[A-Za-z_]\w*(?:\.\w+)*$/.test(block)) page.addAnchor(block, line);
  else page.openAnchors();
}

/** Removes the `#` characters at the end of a heading. */
function withoutClosingHashes(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end -= 1;
  return text.slice(0, end);
}
