import type { Words } from './words/index.ts';

/** What `site.js` says by itself, as JSON. */
export function scriptWords(words: Words): string {
  const { search, searching, searchFailed, searchIn, close, copyCode, copied, enlarge } = words;
  return JSON.stringify({
    search,
    searching,
    searchFailed,
    searchIn,
    close,
    copyCode,
    copied,
    enlarge,
  });
}
