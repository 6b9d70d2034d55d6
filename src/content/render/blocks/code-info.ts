/** What the line above fenced code says: its language, and a title where a builder would show one. */
export interface CodeInfo {
  readonly language: string;
  /** Empty when there is none. */
  readonly title: string;
}

/**
 * Reads the info string of fenced code as the builders do: `js {1,3} title="a.js"` (Docusaurus, Starlight, Material),
 * `js{1,3} [a.js]` and `js:line-numbers` (VitePress), `rust,ignore` (mdBook).
 */
export function readCodeInfo(lang: string, meta: string): CodeInfo {
  const language = /^[^\s{,:[]+/.exec(lang)?.[0] ?? '';
  const info = `${lang.slice(language.length)} ${meta}`;
  const quoted = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(info);
  const bracketed = /\[([^[\]]+)\]/.exec(info);
  return { language, title: (quoted?.[1] ?? quoted?.[2] ?? bracketed?.[1] ?? '').trim() };
}
