import GithubSlugger, { slug } from 'github-slugger';
import type { HeadingNamer } from '../../text/index.ts';

/** Symbols that are words of their own in a name. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '&': 'and',
  '|': 'or',
  '<': 'less-than',
  '>': 'greater-than',
  '∆': 'delta',
  '∞': 'infinity',
  '♥': 'love',
  '∑': 'sum',
  '¤': 'currency',
};

/** Characters that others stand for, as parts of a word. */
const LETTERS: Readonly<Record<string, string>> = {
  $: 'usd',
  '€': 'eur',
  '£': 'gbp',
  '¥': 'cny',
  '¢': 'cent',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** Letters of scripts that are transliterated by tables (pinyin, romaji, …) which only GitBook has. */
const FOREIGN_LETTER = /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Whether only GitBook can name a heading with this text. */
export function isForeignHeading(text: string): boolean {
  return FOREIGN_LETTER.test(text);
}

/**
 * The anchor of a heading as GitBook names it: Latin letters, digits, `_` and `.` stay, symbols become words, and
 * everything else becomes a dash; a name that begins with a digit is prefixed with `id-`. Empty for text without any of
 * them.
 */
export function gitbookSlug(text: string): string {
  return finish(
    text.replace(/[$€£¥¢äöüßæœøåđðłþı]/giu, (candidate) => LETTERS[candidate.toLowerCase()] ?? candidate),
  );
}

/** The name of a heading with consecutive capitals separated, as GitBook names some: `Azure AD` is `azure-a-d`. */
export function spelledSlug(text: string): string {
  return gitbookSlug(text.replace(/\p{Lu}(?=\p{Lu})/gu, '$&-'));
}

/** The slug on older pages and in other languages: `ä` becomes `a` instead of `ae`, and emoji names are dropped. */
function foldedSlug(text: string): string {
  return finish(text.replace(/:[a-z0-9_+-]+:/gi, ' '));
}

function finish(text: string): string {
  const slug = text
    .replace(/(?<=\S)['’‘](?=\S)/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[&|<>∆∞♥∑¤]/gu, (symbol, at: number, whole: string) => {
      // Between the word for a symbol and a sign that names keep there is no dash.
      const dash = (beside: string | undefined) => (beside === '.' || beside === '_' ? '' : '-');
      return dash(whole[at - 1]) + SYMBOLS[symbol] + dash(whole[at + 1]);
    })
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-');
  const trimmed = slug.slice(slug.startsWith('-') ? 1 : 0, slug.endsWith('-') ? -1 : undefined);
  return /^\d/.test(trimmed) ? `id-${trimmed}` : trimmed;
}

/**
 * Names a page's headings. The first heading of level 1 is the page's title: links to it lead to the top, and its name may
 * be used again. An explicit id replaces the name, and counts like a name when it is repeated.
 */
export function gitbookHeadings(): HeadingNamer {
  const counts = new Map<string, number>();
  const github = new GithubSlugger();
  let hasTitle = false;
  const makeUnique = (name: string): string => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
  return {
    ownsIds: true,
    aliases: (text) => [github.slug(text), gitbookSlug(text), spelledSlug(text)].filter(Boolean),
    name(text, level, ids) {
      const own = gitbookSlug(text);
      const folded = foldedSlug(text);
      const braces = text.lastIndexOf('{#');
      const custom = braces === -1 ? undefined : /^\{#([\w.:-]+)\}$/.exec(text.slice(braces).trimEnd())?.[1];
      if (level === 1 && !hasTitle) {
        hasTitle = true;
        return { names: [...new Set([custom ?? '', own, ...ids])].filter(Boolean) };
      }
      if (custom !== undefined) return { names: [makeUnique(custom)], text: text.slice(0, braces) };
      if (ids.length > 0) return { names: ids.map(makeUnique) };
      // GitBook's name is not known here; GitHub's name stands for it.
      if (isForeignHeading(text)) {
        const isKorean = !isForeignHeading(text.replace(/\p{Script=Hangul}/gu, ''));
        // Korean letters are omitted from names.
        return { names: isKorean ? [slug(text), makeUnique(own === '' ? 'undefined' : own)] : [slug(text)] };
      }
      if (own === '') return { names: [makeUnique('undefined')] };
      const name = makeUnique(own);
      return { names: folded === own || folded === '' ? [name] : [name, folded] };
    },
  };
}
