import { hideVisitorConditions } from '../../content/expressions/index.ts';
import type { Anchor } from '../../content/index.ts';
import { indexText, type PageSection, readSections } from '../../content/search/index.ts';

/** A section with its words as the search compares them. */
export interface IndexedSection extends PageSection {
  readonly headingWords: string;
  readonly textWords: string;
}

/** `problem` says in one sentence why sections are missing; null where none are. */
export interface IndexedSections {
  readonly sections: readonly IndexedSection[];
  readonly problem: string | null;
}

/** The sections of a page, for the search, without what only some visitors of a site see. */
export function indexSections(markdown: string, anchors: readonly Anchor[]): IndexedSections {
  const shown = hideVisitorConditions({ markdown, anchors });
  const { sections, isFull } = readSections(shown.markdown, shown.anchors);
  return {
    sections: sections.map((section) => ({
      ...section,
      headingWords: indexText(section.heading ?? ''),
      textWords: indexText(section.text),
    })),
    problem: isFull
      ? `The page has more than ${sections.length} sections; search does not find the text of the others. Split it.`
      : null,
  };
}
