import { type Anchor, anchorsIn, loadDialect, type SpaceAnalysis } from '../../content/index.ts';

import { indexText } from '../../content/search/index.ts';
import {
  type Db,
  insertSections,
  loadTexts,
  loadTextsWithin,
  type NewSection,
  type PageRow,
  touchSections,
} from '../../store/index.ts';
import { contentThreads } from '../../threads/index.ts';
import { composeRow, partOids } from '../content/compose-row.ts';
import { type SearchLanguages, searchLanguageAt } from './search-language.ts';

/** Pages whose texts are read at once. */
const BATCH = 100;
/** Characters that are inserted by one statement. */
const MAX_PENDING = 2_000_000;

/** Bytes of the files that are included in a batch of pages; text beyond is not found by search. */
const MAX_PART_BYTES = 64 * 1024 * 1024;

/** A page whose text search does not find as a whole. */
export interface UnsearchedPage {
  readonly path: string;
  /** In one sentence. */
  readonly problem: string;
}

/**
 * Stores the sections of new and changed pages before readers see them, so that search finds a page as soon as it is
 * live. Sections that are already stored are only touched. Returns the pages that lack some.
 */
export async function storePageSections(
  db: Db,
  analysis: SpaceAnalysis,
  options: {
    readonly spaceId: string;
    /** The pages that differ from the previous version, which has the sections of all others. */
    readonly added: Iterable<PageRow>;
    readonly previous: ReadonlyMap<string, PageRow>;
    readonly languages: SearchLanguages;
  },
): Promise<readonly UnsearchedPage[]> {
  const changed = new Map<string, PageRow>();
  for (const page of options.added) {
    const before = options.previous.get(page.id)?.sectionsId;
    if (page.sectionsId !== null && page.sectionsId !== before) changed.set(page.sectionsId, page);
  }
  const stored = await touchSections(db, [...changed.keys()]);
  const missing = [...changed.values()].filter((page) => !stored.has(page.sectionsId ?? ''));
  const unsearched: UnsearchedPage[] = [];
  const pending = new Map<string, NewSection[]>();
  let size = 0;
  const insert = async () => {
    for (const [language, sections] of pending) await insertSections(db, language, sections);
    pending.clear();
    size = 0;
  };
  for (let start = 0; start < missing.length; start += BATCH) {
    const batch = missing.slice(start, start + BATCH);
    const own = await loadTexts(db, options.spaceId, [...new Set(batch.map((page) => page.gitOid ?? ''))]);
    const { texts: parts } = await loadTextsWithin(
      db,
      options.spaceId,
      batch.flatMap(partOids),
      MAX_PART_BYTES,
    );
    const texts = new Map([...parts, ...own]);
    for (const page of batch) {
      const { sections, problem } = await sectionsOf(page, await readText(page, texts, analysis));
      if (problem !== null) unsearched.push({ path: page.gitPath ?? page.path, problem });
      const language = searchLanguageAt(options.languages, page.path);
      const ofLanguage = pending.get(language) ?? [];
      pending.set(language, ofLanguage);
      for (const section of sections) {
        ofLanguage.push(section);
        size += section.body.length + section.bodyWords.length + 200;
      }
      if (size >= MAX_PENDING) await insert();
    }
  }
  await insert();
  return unsearched;
}

interface PageText {
  readonly text: string;
  readonly anchors: readonly Anchor[];
}

/** The text that readers see, with the files that it includes. */
async function readText(
  page: PageRow,
  texts: ReadonlyMap<string, Uint8Array>,
  analysis: SpaceAnalysis,
): Promise<PageText> {
  const own = new TextDecoder().decode(texts.get(page.gitOid ?? '') ?? new Uint8Array());
  const composed = await composeRow(page, own, texts, { isImport: true });
  if (composed === null) {
    return {
      text: own,
      anchors: (page.gitPath === null ? undefined : anchorsIn(analysis, page.gitPath)) ?? [],
    };
  }
  const { reading } = await loadDialect(page.dialect ?? '');
  const { anchors } = await contentThreads.readFacts(reading, new TextEncoder().encode(composed.text));
  return { text: composed.text, anchors };
}

async function sectionsOf(page: PageRow, { text, anchors }: PageText) {
  const titleWords = indexText(page.title);
  const descriptionWords = indexText(page.description ?? '');
  const { sections, problem } = await contentThreads.readSections(text, anchors);
  const rows = sections.map(
    (section, ordinal): NewSection => ({
      setId: page.sectionsId ?? '',
      ordinal,
      anchor: section.anchor,
      heading: section.heading,
      body: section.text,
      title: page.title,
      titleWords,
      headingWords: section.headingWords,
      descriptionWords: ordinal === 0 ? descriptionWords : '',
      bodyWords: section.textWords,
    }),
  );
  return { sections: rows, problem };
}
