import type { Anchor } from '../model/index.ts';
import { toPlainText } from './to-plain-text.ts';

/** A section of a page, from one heading to the next, as search finds it. */
export interface PageSection {
  /** The fragment of its heading; null for the text before the first heading. */
  readonly anchor: string | null;
  readonly heading: string | null;
  /** Without markup, on one line. */
  readonly text: string;
}

export interface SectionsRead {
  readonly sections: readonly PageSection[];
  /** Whether sections were left out because there are too many. */
  readonly isFull: boolean;
}

/** Longer sections are split into several with the same heading; sections beyond the limit of a page are left out. */
const MAX_TEXT = 20_000;
const MAX_SECTIONS = 1_000;

/**
 * Splits the text of a page into sections by its headings, which have the anchors of its format. The first heading of
 * level 1 is the page's title, so the text after it belongs to the page itself. Takes time linear in the text.
 */
export function readSections(markdown: string, anchors: readonly Anchor[]): SectionsRead {
  const lines = markdown.split('\n');
  const own = anchors.find((anchor) => anchor.heading !== null && anchor.level === 1);
  const headings = anchors
    .filter((anchor) => anchor.heading !== null && anchor.level > 0 && anchor.line <= lines.length)
    .sort((a, b) => a.line - b.line);
  const starts = headings.filter((heading, at) => heading.line !== headings[at - 1]?.line);
  const sections: PageSection[] = [];
  let isFull = false;
  const add = (anchor: Anchor | null, start: number, end: number) => {
    isFull ||= sections.length >= MAX_SECTIONS;
    if (isFull) return;
    const text = toPlainText(lines.slice(start, end));
    for (let from = 0; from === 0 || from < text.length; from += MAX_TEXT) {
      isFull ||= sections.length >= MAX_SECTIONS;
      if (isFull) return;
      sections.push({
        anchor: anchor?.name ?? null,
        heading: anchor?.heading ?? null,
        text: text.slice(from, from + MAX_TEXT),
      });
    }
  };
  const [first] = starts;
  const hasTitle = first !== undefined && first === own;
  const rest = hasTitle ? starts.slice(1) : starts;
  const endOfIntro = (rest[0]?.line ?? lines.length + 1) - 1;
  const begin = endOfFrontMatter(lines);
  // The line of the title is not part of the text.
  if (hasTitle && first.line - 1 >= begin) lines[first.line - 1] = '';
  add(null, Math.min(begin, endOfIntro), endOfIntro);
  rest.forEach((anchor, at) => {
    add(anchor, anchor.line, (rest[at + 1]?.line ?? lines.length + 1) - 1);
  });
  return { sections, isFull };
}

/** The number of lines of the front matter. */
function endOfFrontMatter(lines: readonly string[]): number {
  if (!/^(?:---|\+\+\+)[ \t]*\r?$/.test(lines[0] ?? '')) return 0;
  const mark = (lines[0] ?? '').slice(0, 3);
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === mark);
  return end === -1 ? 0 : end + 1;
}
