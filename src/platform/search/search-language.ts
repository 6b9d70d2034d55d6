import type { FolderLanguage } from '../../content/index.ts';

/**
 * The text search configurations that every PostgreSQL from 15 on has, by language
 * (https://www.postgresql.org/docs/15/textsearch-dictionaries.html); they match words by their stems.
 */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** The configuration for a language code such as `pt-br`; for all others `simple`, which does not stem words. */
export function searchLanguage(language: string | null): string {
  const code = (language ?? '').toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return Object.hasOwn(CONFIGURATIONS, code) ? (CONFIGURATIONS[code] as string) : 'simple';
}

/** The configurations of a space, whose languages may have folders in its addresses. */
export interface SearchLanguages {
  readonly usual: string;
  readonly byFolder: ReadonlyMap<string, string>;
}

/** @param language of the space, which goes before the default one of `folders`; null when unknown */
export function searchLanguages(
  language: string | null,
  folders: readonly FolderLanguage[] = [],
): SearchLanguages {
  const standard = folders.find(({ isDefault }) => isDefault);
  const others = folders.filter(({ isDefault }) => !isDefault);
  return {
    usual: searchLanguage(language ?? standard?.language ?? null),
    byFolder: new Map(others.map((other) => [other.folder, searchLanguage(other.language)])),
  };
}

/** The configuration for the page at a path. */
export function searchLanguageAt({ usual, byFolder }: SearchLanguages, path: string): string {
  return byFolder.get(path.split('/', 1)[0] ?? '') ?? usual;
}
