import { html, type Markup } from '../../markup/index.ts';

/** Scripts that are written from right to left and have living languages. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** The direction in which a language, a BCP 47 tag, is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}

/** What a part of a page says of its language where that is not the page's. */
export function languageAttributes(part: { readonly language: string } | null): Markup | null {
  return part === null ? null : html` lang="${part.language}" dir="${directionOf(part.language)}"`;
}
