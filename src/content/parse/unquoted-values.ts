/** Stands for a slash; no text holds it, since Unicode keeps it out of interchange. */
const SLASH = '\u{fdd0}';

const TAG = /(?<!\\)<[a-z][^<>]*>/gi;

/** A tag that is longer has no attribute worth it. */
const MAX_TAG_LENGTH = 4_000;

const ATTRIBUTE = /(\s[^\s"'<>/=]+\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

/**
 * Hides slashes in values without quotes (`<img src=a/b.png>`), code unit for code unit: the parser takes such a tag for
 * text, though CommonMark 6.6 lets slashes stand there. `showSlashes` brings them back.
 */
export function hideSlashes(source: string): string {
  if (!source.includes('<')) return source;
  const start = bodyStart(source);
  const body = source.slice(start).replace(TAG, (tag) => {
    if (tag.length > MAX_TAG_LENGTH || !tag.includes('/') || !tag.includes('=')) return tag;
    return tag.replace(ATTRIBUTE, (all, name: string, value: string) =>
      /^["']/.test(value) || !/\/./.test(value) ? all : name + value.replace(/\/(?=.)/g, SLASH),
    );
  });
  return source.slice(0, start) + body;
}

export function showSlashes(html: string): string {
  return html.includes(SLASH) ? html.replaceAll(SLASH, '/') : html;
}

/** Behind the front matter, where tags are only text. */
function bodyStart(source: string): number {
  if (!/^---[ \t]*\r?\n/.test(source)) return 0;
  const end = source.search(/\n---[ \t]*\r?(?:\n|$)/);
  return end === -1 ? 0 : end;
}
