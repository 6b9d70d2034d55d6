import { createReading } from '../../facts/index.ts';
import type { PageNode, PageRecorder, PreparedSource, Reading } from '../../parse/index.ts';
import { idsOf, mkdocsHeadings, slugOf } from './heading-ids.ts';
import type { HeadingOptions } from './heading-options.ts';
import { snippetsIn } from './snippets.ts';

const readings = new Map<string, Reading>();

/** How pages are read under these options. */
export function mkdocsReading(options: HeadingOptions): Reading {
  const { slugs, separator, attributes, snippets, templates, insideHtml = false, tabs = null } = options;
  const key = `mkdocs:${JSON.stringify([slugs, separator, attributes, snippets, templates, insideHtml, tabs])}`;
  const known = readings.get(key);
  if (known !== undefined) return known;
  const reading = createReading({
    key,
    headings: mkdocsHeadings(options),
    prepare: (source) => prepare(insideHtml ? openHtml(source) : source, options),
    enter: (node, page) => enterNode(node, page, options),
  });
  if (readings.size < 100) readings.set(key, reading);
  return reading;
}

/** A tag of HTML whose contents are Markdown, alone on its line. Its ids are anchors all the same. */
const MARKDOWN_TAG =
  /^([ \t]{0,60})(<[a-z][\w-]{0,30}\s(?:[^<>\n]{0,500}\s)?markdown(?:=["']?\w+["']?)?(?:\s[^<>\n]{0,500})?>)[ \t]*\r?$/gim;

/**
 * Takes tags with the attribute `markdown` out, and the end tags that stand alone, so that what is between them is read
 * as Markdown; each becomes an anchor of the same length where it has an id (Python-Markdown, extension `md_in_html`).
 */
function openHtml(source: string): string {
  if (!/\smarkdown[=\s>]/.test(source)) return source;
  return source
    .replace(MARKDOWN_TAG, (line, indent: string, tag: string) => {
      const id = /\sid=(["'])([^"'<>\n]{1,200})\1/.exec(tag)?.[2];
      // An inline element does not keep the lines below from being Markdown.
      const anchor = id === undefined ? '' : `<a id="${id}"></a>`;
      return anchor.length > tag.length ? line : indent + anchor.padEnd(line.length - indent.length);
    })
    .replace(
      /^[ \t]*<\/(?:div|figure|figcaption|section|article|details|aside|main|header|footer|p|span|ul|ol|li|table|td|tr)>[ \t]*\r?$/gim,
      (line) => ' '.repeat(line.length),
    );
}

/**
 * Python-Markdown's blocks in CommonMark's words. The contents of admonitions, tabs and definitions are indented by four,
 * which CommonMark takes for code: their first line becomes that of a list item, as long as before.
 */
function prepare(source: string, options: HeadingOptions): PreparedSource {
  const { snippets, tabs } = options;
  const titles: { readonly text: string; readonly line: number }[] = [];
  const found = snippets ? snippetsIn(source).snippets : [];
  const headings: { readonly text: string; readonly level: number; readonly line: number }[] = [];
  let fence: string | null = null;
  const lines = source.split('\n').map((line, at) => {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
      return line;
    }
    if (mark !== undefined) {
      fence = mark;
      return line;
    }
    const title = tabs === undefined ? undefined : /^[ \t]*===[!+]{0,2} "([^"\n]{1,500})"/.exec(line)?.[1];
    if (title !== undefined) titles.push({ text: title, line: at + 1 });
    const heading = /^(#{1,6})([^#\s].*)$/.exec(line);
    if (heading !== null) {
      headings.push({
        text: withoutEndMarks(heading[2] ?? ''),
        level: heading[1]?.length ?? 1,
        line: at + 1,
      });
    }
    return line.replace(
      CONTAINER,
      (_all, indent: string, sign: string) => `${indent}-   ${'x'.repeat(sign.length - 4)}`,
    );
  });
  return {
    source: lines.join('\n'),
    after(page) {
      if (tabs === 'unknown' && titles.length > 0) page.openAnchors();
      for (const { text, line } of titles) page.addAnchor(slugOf(text.replace(/[`*]/g, ''), options), line);
      // A heading needs no space after its signs.
      for (const { text, level, line } of headings)
        page.addHeading(text.replace(/[`*]/g, '').trim(), level, line);
      for (const { target, line, column } of found) {
        const place = { line, column, endLine: line, endColumn: column + target.length };
        page.addReference('block', target, place, { carrier: 'include' });
      }
    },
  };
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
  if (templates && /\{\{|\{%/.test(value)) page.openAnchors();
  const block = value.startsWith(':::') ? /^:::[ \t]*([\w.:-]+)/.exec(value)?.[1] : undefined;
  if (block === undefined) return;
  // The documentation of a Python object has its name, and that of its parts after a dot. Other blocks say less.
  if (/^[A-Za-z_]\w*(?:\.\w+)*$/.test(block)) page.addAnchor(block, line);
  else page.openAnchors();
}

/** A heading may end with signs again. */
function withoutEndMarks(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end -= 1;
  return text.slice(0, end);
}
