import {
  type Database,
  findMatchingSections,
  listWordForms,
  loadSectionTexts,
  type MatchingSections,
  type SearchScope,
  type SectionText,
} from '../../store/index.ts';
import { correctWords } from '../search/correct-terms.ts';
import type { SearchedContent } from '../search/search-contents.ts';
import { searchLanguage } from '../search/search-language.ts';
import { questionWords } from './question-words.ts';
import { type AskedWord, rankSections } from './rank-sections.ts';

/** What questions about contents of unknown language are read as; their index has no stems. */
export const USUAL_LANGUAGE = 'english';

/** A word that was probably meant instead of one that does not occur. */
const CORRECTED_WEIGHT = 0.8;

/** A section that may answer a question. */
export interface AnsweringSection extends SectionText {
  readonly score: number;
  readonly strength: number;
}

export interface SectionsFor {
  readonly sections: readonly AnsweringSection[];
  /** The words by which they were found, folded. */
  readonly words: readonly string[];
}

/**
 * The sections that say most of what a question says, the best first.
 *
 * @param options.isReadable whether the asker may open a page; all pages of the contents when absent
 */
export async function findSections(
  db: Database,
  contents: readonly SearchedContent[],
  question: string,
  options: {
    readonly limit: number;
    readonly isReadable?: (page: { readonly spaceId: string; readonly pageId: string }) => boolean;
  },
): Promise<SectionsFor> {
  const asked = questionWords(question);
  const scopes = contents.map(({ language, ...content }) => ({
    ...content,
    language: searchLanguage(language),
    wordLanguage: language === null ? USUAL_LANGUAGE : searchLanguage(language),
  }));
  const { isReadable = () => true, limit } = options;
  const groups = await Promise.all(
    [...Map.groupBy(scopes, ({ wordLanguage, language }) => `${wordLanguage} ${language}`).values()].map(
      async (group) => {
        const [{ language: index, wordLanguage: language }] = group as [(typeof group)[0]];
        const { words, matching } = await matchQuestion(db, { index, language }, group, asked);
        return {
          ranked: rankSections(matching, words).filter(({ section }) => isReadable(section)),
          words: words.flatMap(({ word, lexemes, prefix }) => [
            word,
            ...lexemes,
            ...(prefix === null ? [] : [prefix]),
          ]),
        };
      },
    ),
  );
  const best = groups
    .flatMap(({ ranked }) => ranked)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
  const texts = await Promise.all(
    scopes.map(async (scope) => {
      const own = best.filter(({ section }) => section.spaceId === scope.spaceId);
      return await loadSectionTexts(
        db,
        scope,
        own.map(({ section }) => section),
      );
    }),
  );
  const byKey = new Map(texts.flat().map((text) => [keyOf(text), text]));
  return {
    sections: best.flatMap(({ section, score, strength }) => {
      const text = byKey.get(keyOf(section));
      return text === undefined ? [] : [{ ...text, score, strength }];
    }),
    words: [...new Set(groups.flatMap(({ words }) => words))],
  };
}

/** The words of a question, those that are misspelt replaced, and the sections of contents in one language that have any. */
export async function matchQuestion(
  db: Database,
  languages: Parameters<typeof listWordForms>[1],
  scopes: readonly SearchScope[],
  asked: readonly string[],
): Promise<{ readonly words: readonly AskedWord[]; readonly matching: MatchingSections }> {
  const forms = await listWordForms(db, languages, asked);
  const words = forms.filter(({ lexemes }) => lexemes.length > 0).map((form) => ({ ...form, weight: 1 }));
  const matching = await findMatchingSections(db, scopes, words);
  const unknown = words.flatMap(({ word }, at) => (matching.counts[at] === 0 ? [word] : []));
  const corrected = await correctWords(db, scopes, unknown);
  if (corrected.size === 0) return { words, matching };
  const meant = await listWordForms(db, languages, [...corrected.values()]);
  const byWord = new Map(meant.map((form) => [form.word, form]));
  const replaced = words.map((word) => {
    const form = byWord.get(corrected.get(word.word) ?? '');
    return form === undefined ? word : { ...form, weight: CORRECTED_WEIGHT };
  });
  return { words: replaced, matching: await findMatchingSections(db, scopes, replaced) };
}

function keyOf({ spaceId, pageId, ordinal }: { spaceId: string; pageId: string; ordinal: number }): string {
  return `${spaceId} ${pageId} ${ordinal}`;
}
