import { isList, isUnknown, ScriptPattern, type ScriptValue } from '../script-config/script-value.ts';

/** Regular expressions beyond this number are not read. */
const MAX_PATTERNS = 200;

/**
 * Links that the configuration excludes from VitePress's own check, because something else is published there: texts, and
 * regular expressions of plain characters, `.` and `.*` (https://vitepress.dev/reference/site-config#ignoredeadlinks). If
 * an entry cannot be read, every link may be excluded, which is null. `true` excludes none here: it does not mean that
 * targets exist.
 */
export function ignoredDeadLinks(value: ScriptValue): (address: string, written: string) => boolean | null {
  if (!isList(value)) return () => (isUnknown(value) ? null : false);
  const texts = new Set(value.filter((item) => typeof item === 'string'));
  const patterns = value
    .filter((item) => item instanceof ScriptPattern)
    .slice(0, MAX_PATTERNS)
    .map(({ source, flags }) => compile(source.replaceAll('\\/', '/'), flags));
  const others = texts.size + patterns.length < new Set(value).size || patterns.includes(null) ? null : false;
  return (address, written) =>
    [address, written].some((link) => texts.has(link) || patterns.some((fits) => fits?.(link) === true)) ||
    others;
}

/** A pattern as pieces of text with gaps between them, matched from left to right without going back. */
function compile(source: string, flags: string): ((text: string) => boolean) | null {
  const isFromStart = source.startsWith('^');
  const isToEnd = /(?<!\\)\$$/.test(source);
  const body = source.slice(isFromStart ? 1 : 0, isToEnd ? -1 : undefined);
  if (/(?<!\\)(?:\\\\){0,50}[()[\]{}|^$+?]|\\[A-Za-z0-9]|(?<!\.)\*/.test(body.replace(/s\?:/g, ':')))
    return null;
  const pieces = body
    .replace(/s\?:/g, ':')
    .split(/(?<!\\)\.\*/)
    .map((piece) => piece.replace(/\\(.)/g, '$1'));
  const fold = (text: string) => (flags.includes('i') ? text.toLowerCase() : text);
  return (link) => {
    let at = 0;
    const text = fold(link);
    for (const [index, piece] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      const wanted = fold(piece);
      let found = isLast && isToEnd ? text.length - wanted.length : text.indexOf(wanted, at);
      if (isLast && isToEnd && (found < at || !text.endsWith(wanted))) found = -1;
      if (found === -1 || (index === 0 && isFromStart && found !== 0)) return false;
      at = found + wanted.length;
    }
    return true;
  };
}
