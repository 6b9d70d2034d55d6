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
