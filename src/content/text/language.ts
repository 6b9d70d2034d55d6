import { hintAt } from './nearest-word.ts';

/** The languages that spaces can be translated from and to, by the platform's names. */
export const knownLanguages = [
  'en',
  'fr',
  'de',
  'es',
  'it',
  'pt',
  'pt-br',
  'ru',
  'ja',
  'zh',
  'yue',
  'ko',
  'ar',
  'hi',
  'nl',
  'pl',
  'tr',
  'sv',
  'no',
  'da',
  'fi',
  'el',
  'cs',
  'hu',
  'ro',
  'th',
  'vi',
  'id',
  'ms',
  'he',
  'uk',
  'sk',
  'bg',
  'hr',
  'lt',
  'lv',
  'et',
  'sl',
] as const;
export type Language = (typeof knownLanguages)[number];

/** Tags of traditional Chinese; `zh` is simplified Chinese here. */
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/i;

/** Returns the platform's name of a language tag such as `de`, `de-AT` or `pt-BR`, or the problem of the tag, for people. */
export function readLanguage(tag: string): { readonly language: Language } | { readonly problem: string } {
  const trimmed = tag.trim();
  if (TRADITIONAL.test(trimmed))
    return {
      problem: `\`${trimmed}\` is Chinese in traditional characters, and only \`zh\`, in simplified ones, is known.`,
    };
  const lower = trimmed.toLowerCase();
  for (const name of [lower, lower.split('-', 1)[0]]) {
    const language = knownLanguages.find((known) => known === name);
    // Norwegian has a tag for each of its two forms.
    if (language === undefined && (name === 'nb' || name === 'nn')) return { language: 'no' };
    if (language !== undefined) return { language };
  }
  return {
    problem: `There is no language \`${trimmed}\` to translate from or into. ${hintAt(trimmed, knownLanguages)}`,
  };
}

/** Returns the language of a tag that `readLanguage` accepted before; throws for any other tag. */
export function languageOf(tag: string): Language {
  const read = readLanguage(tag);
  if ('problem' in read) throw new Error(read.problem);
  return read.language;
}
