/** A comment in which a program includes the text of another file: `<!-- include: part.md -->`, `<!-- {% include "part.md" %} -->`. */
const COMMENT =
  /<!--[ \t]{0,9}(?:\{%-?[ \t]{0,9})?(?:@|md-|doc-)?(?:includes?|embed(?:me)?|transclude|import)\b[-\w]{0,20}[ \t]{0,9}[:=(]?[ \t]{0,9}["']?([\w@.-]{1,100}(?:\/[\w@.-]{1,100}){0,20}\.(?:md|mdx|markdown))\b/gi;

/** A line in which an extension of Python-Markdown puts another file: `{!parts/part.md!}`. */
const MARK =
  /^[ \t]{0,40}\{![ \t]{0,9}([\w@.-]{1,100}(?:\/[\w@.-]{1,100}){0,20}\.(?:md|markdown))[ \t]{0,9}!\}/;

const MAX_TEXTS = 100;

/** The paths of Markdown files that comments and marks outside fenced code include, each once. */
export function includedTexts(source: string): readonly string[] {
  if (!/<!--[^\n]{0,60}(?:include|embed|transclude|import)|\{!/i.test(source)) return [];
  const found = new Set<string>();
  let fence: string | null = null;
  for (const line of source.split('\n')) {
    const marker = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined) {
      if (fence === null) fence = marker;
      else if (marker.startsWith(fence)) fence = null;
    }
    if (fence !== null) continue;
    const marked = MARK.exec(line)?.[1];
    if (marked !== undefined && found.size < MAX_TEXTS) found.add(marked);
    if (!line.includes('<!--')) continue;
    for (const [, path = ''] of line.matchAll(COMMENT)) if (found.size < MAX_TEXTS) found.add(path);
  }
  return [...found];
}
