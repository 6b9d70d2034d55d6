/** In UTF-16 code units. */
const MAX_EXCERPT = 300;

/** The beginning of a text, in one paragraph. */
export function excerptOf(markdown: string): string {
  const text = markdown
    .replace(/\s+/g, ' ')
    .replaceAll(/\]\(@[A-Za-z0-9_-]+\)/g, ']')
    .trim();
  if (text.length <= MAX_EXCERPT) return text;
  return `${text
    .slice(0, MAX_EXCERPT)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}
