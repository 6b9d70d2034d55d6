/** Replaces a slash; no text contains it, since Unicode reserves it for internal use. */
const SLASH = '\u{fdd0}';

const TAG = /(?<!\\)<[a-z][^<>]*>/gi;

/** Longer tags are left alone. */
const MAX_TAG_LENGTH = 4_000;

const ATTRIBUTE = /(\s[^\s"'<>/=]+\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

/**
 * Hides slashes in values without quotes (`<img src=a/b.png>`), one code unit for one: the parser reads such a tag as
 * text, although CommonMark 6.6 allows these slashes. `showSlashes` restores them.
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

/** The offset after the front matter, in which tags are only text. */
function bodyStart(source: string): number {
  if (!/^---[ \t]*\r?\n/.test(source)) return 0;
  const end = source.search(/\n---[ \t]*\r?(?:\n|$)/);
  return end === -1 ? 0 : end;
}
