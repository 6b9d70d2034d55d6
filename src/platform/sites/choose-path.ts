import { slug } from 'github-slugger';

/** The longest path of a site, a section or a variant. */
const MAX_LENGTH = 100;

/** A path from a title: its letters and digits in lower case, with hyphens between them; `fallback` where it has none. */
export function sitePathFrom(title: string, fallback: string): string {
  const path = slug(title.normalize('NFC'))
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .slice(0, MAX_LENGTH - 8)
    .replaceAll(/^-+|-+$/g, '');
  return path === '' ? fallback : path;
}

/** The path itself, or with the first number that makes it free. */
export function freePath(path: string, taken: Iterable<string>): string {
  const others = new Set(taken);
  if (!others.has(path)) return path;
  for (let number = 2; ; number += 1) if (!others.has(`${path}-${number}`)) return `${path}-${number}`;
}
