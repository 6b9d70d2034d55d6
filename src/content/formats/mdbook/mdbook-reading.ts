import { createReading, type PageNotes, type PreparedSource } from '../../facts/reading.ts';
import { mdbookHeadings } from './mdbook-headings.ts';

/** A chapter. */
export const chapterReading = createReading({
  key: 'mdbook',
  headings: mdbookHeadings,
  prepare: findDirectives,
  enter(node, page) {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'footnoteReference') page.addAnchor(`fr-${node.identifier}-1`, line);
    if (node.type !== 'footnoteDefinition') return;
    page.addAnchor(node.identifier, line);
    page.addAnchor(`footnote-${node.identifier}`, line);
  },
  tag(name, attributes, place, page) {
    // A listing of code with a number, as books made with the Rust book's preprocessor have it.
    const number = name === 'listing' ? attributes.get('number') : undefined;
    if (number !== undefined) page.addAnchor(`listing-${number}`, place.line);
  },
});

/** `SUMMARY.md`. */
export const bookContentsReading = createReading({ key: 'mdbook-contents', hasContents: true });

/** Directives that put another file into the chapter. */
const INCLUDES = new Set(['include', 'rustdoc_include', 'playground', 'playpen']);

/**
 * Finds `{{#include file.rs:2:10}}` and its kin, which count in code blocks too, and are text after a backslash
 * (https://rust-lang.github.io/mdBook/format/mdbook.html#including-files).
 */
function findDirectives(source: string): PreparedSource {
  const hasDirectives = /\{\{\s{0,20}#/.test(source);
  const hasTerms = /^: /m.test(source);
  if (!hasDirectives && !hasTerms) return { source };
  return {
    source,
    after(page) {
      if (hasDirectives) noteDirectives(source, page);
      if (hasTerms) noteTerms(source, page);
    },
  };
}

function noteDirectives(source: string, page: PageNotes): void {
  let line = 1;
  for (const text of source.split('\n')) {
    for (const match of directivesIn(text)) {
      if (match[1] !== '') continue;
      const [all, , directive = '', said = ''] = match;
      if (INCLUDES.has(directive)) {
        const place = {
          line,
          column: match.index + 1,
          endLine: line,
          endColumn: match.index + 1 + all.length,
        };
        const [argument = ''] = said.trim().split(/\s+/);
        const [file = ''] = directive.startsWith('play') ? [argument] : argument.split(':');
        // What is taken of the file stands in the text: lines (`:2:10`) or a name.
        const part = argument.slice(file.length + 1);
        page.addReference('block', file, place, { carrier: 'include', text: part });
      } else if (directive !== 'title') {
        // A preprocessor of the book's own writes here what it wants.
        page.openAnchors();
      }
    }
    line += 1;
  }
}

/** The directives of one line: what is before, the name, and the rest up to the braces that close it. */
function* directivesIn(text: string): Iterable<RegExpExecArray> {
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 2)) {
    if (text.indexOf('}}', at) === -1) return;
    DIRECTIVE.lastIndex = at > 0 && text[at - 1] === '\\' ? at - 1 : at;
    const match = DIRECTIVE.exec(text);
    if (match !== null) yield match;
  }
}

const DIRECTIVE = /(\\?)\{\{[ \t]{0,20}#([\w-]{1,60})(?:\s{1,20}([^{}\r\n]{0,1000}))?\}\}/y;

/** Terms of definition lists are anchors: a line of text, and below it one that begins with a colon. */
function noteTerms(source: string, page: PageNotes): void {
  const lines = source.split(/\r?\n/);
  lines.forEach((line, at) => {
    if (!line.startsWith(': ')) return;
    const term = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1];
    if (term !== undefined && term.trim() !== '' && !term.startsWith(':')) {
      page.addHeading(term.replace(/[`*]/g, ''), 0, at);
    }
  });
}
