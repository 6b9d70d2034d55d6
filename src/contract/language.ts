import Type, { type Static } from 'typebox';

/** The languages that spaces can be in, and be translated into. */
export const languages = [
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

export const SpaceLanguage = Type.Enum([...languages], { type: 'string' });
export type SpaceLanguage = Static<typeof SpaceLanguage>;

/** Whether a text is the code of one of the languages. */
export function isLanguage(code: string): code is SpaceLanguage {
  return (languages as readonly string[]).includes(code);
}
