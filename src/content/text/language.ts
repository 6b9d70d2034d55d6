import { hintAt } from './nearest-word.ts';

/** The languages that spaces can be translated into and from, as the platform names them. */
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

/** Regions and scripts that are written in other characters than `zh` here, which is simplified Chinese. */
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/i;

/** The platform's name of a language tag such as `de`, `de-AT` or `pt-BR`, or what is wrong with the tag. */
export function readLanguage(tag: string): { readonly language: Language } | { readonly problem: string } {
  const said = tag.trim();
  if (TRADITIONAL.test(said))
    return {
      problem: `\`${said}\` is Chinese in traditional characters, and only \`zh\`, in simplified ones, is known.`,
    };
  const lower = said.toLowerCase();
  for (const name of [lower, lower.split('-', 1)[0]]) {
    const language = knownLanguages.find((one) => one === name);
    // Norwegian has a tag for each of its two forms.
    if (language === undefined && (name === 'nb' || name === 'nn')) return { language: 'no' };
    if (language !== undefined) return { language };
  }
  return {
    problem: `There is no language \`${said}\` to translate from or into. ${hintAt(said, knownLanguages)}`,
  };
}

/** The same of a tag that was read before. */
export function languageOf(tag: string): Language {
  const read = readLanguage(tag);
  if ('problem' in read) throw new Error(read.problem);
  return read.language;
}
