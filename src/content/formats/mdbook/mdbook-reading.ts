import { createReading } from '../../facts/index.ts';
import type { PageRecorder, PreparedSource } from '../../parse/index.ts';
import { directivesIn } from './directives.ts';
import { mdbookHeadings } from './mdbook-headings.ts';

/** Reads a chapter. */
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
  tag(name, attributes, span, page) {
    // A numbered code listing, as the preprocessor of the Rust book writes it.
    const number = name === 'listing' ? attributes.get('number') : undefined;
    if (number !== undefined) page.addAnchor(`listing-${number}`, span.line);
  },
});

/** Reads `SUMMARY.md`. */
export const bookContentsReading = createReading({ key: 'mdbook-contents', hasContents: true });

/**
 * Records `{{#include file.rs:2:10}}` and similar directives, which also work in code blocks, and are text after a
 * backslash (https://rust-lang.github.io/mdBook/format/mdbook.html#including-files).
 */
function findDirectives(source: string): PreparedSource {
  const hasDirectives = /\{\{\s{0,20}#/.test(source);
  const hasTerms = /^: /m.test(source);
  if (!hasDirectives && !hasTerms) return { source };
  return {
    source,
    after(page) {
      if (hasDirectives) recordDirectives(source, page);
      if (hasTerms) recordTerms(source, page);
    },
  };
}

function recordDirectives(source: string, page: PageRecorder): void {
  for (const { name, file, part, line, column, start, end } of directivesIn(source)) {
    if (file !== null) {
      const span = { line, column, endLine: line, endColumn: column + end - start };
      page.addReference('block', file, span, { carrier: 'include', text: part });
    } else if (name !== 'title') {
      // A preprocessor of the book may write anything here.
      page.openAnchors();
    }
  }
}

/** Terms of definition lists are anchors: a line of text, and below it one that begins with a colon. */
function recordTerms(source: string, page: PageRecorder): void {
  const lines = source.split(/\r?\n/);
  lines.forEach((line, at) => {
    if (!line.startsWith(': ')) return;
    const term = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1];
    if (term !== undefined && term.trim() !== '' && !term.startsWith(':')) {
      page.addHeading(term.replace(/[`*]/g, ''), 0, at);
    }
  });
}
