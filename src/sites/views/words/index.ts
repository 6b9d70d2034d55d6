import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import type { Words } from './words.ts';
import { zh } from './zh.ts';

export type { Words };

/** The languages of the frame. Regional tags use the words of their language; all others read English. */
export const LANGUAGES: Readonly<Record<string, Words>> = {
  ar,
  de,
  en,
  es,
  fr,
  he,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  zh,
};

/** The words for the language of a site, a BCP 47 tag. */
export function wordsFor(language: string): Words {
  const [name = ''] = language.toLowerCase().split(/[-_]/, 1);
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] as Words) : en;
}

/** What blocks of pages are called where their authors did not write it. */
export function blockTitlesIn(language: string): Readonly<Record<string, string>> {
  const { note, tip, important, warning, caution, info, danger, success, details, video } =
    wordsFor(language);
  return { note, tip, important, warning, caution, info, danger, success, details, video };
}

/** The first of a browser's languages (`Accept-Language`) that has words; English where none has. */
export function preferredLanguage(accepted: string): string {
  const wanted = accepted
    .slice(0, MAX_ACCEPTED)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().split(/\s*;\s*/);
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  const known = wanted.map(({ tag }) => tag.toLowerCase().split('-', 1)[0] ?? '');
  return known.find((name) => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

/** Of `Accept-Language`, in characters. */
const MAX_ACCEPTED = 200;

/** Puts values into a sentence: `{title}`. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}
