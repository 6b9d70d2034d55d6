import { isList, isUnknown, ScriptPattern, type ScriptValue } from '../script-config/script-value.ts';

/** Regular expressions of one configuration that are read. */
const MAX_PATTERNS = 200;

/**
 * Links that a site's author says may lead nowhere, because something else is published there: texts, and regular
 * expressions of plain words, `.` and `.*` (https://vitepress.dev/reference/site-config#ignoredeadlinks). Where an entry
 * cannot be read, every link may be one of them. That all dead links pass the build makes none of them lead anywhere.
 */
export function ignoredDeadLinks(value: ScriptValue): (address: string, written: string) => boolean {
  if (!isList(value)) return () => isUnknown(value);
  const texts = new Set(value.filter((item) => typeof item === 'string'));
  const patterns = value
    .filter((item) => item instanceof ScriptPattern)
    .slice(0, MAX_PATTERNS)
    .map(({ source, flags }) => compile(source.replaceAll('\\/', '/'), flags));
  if (texts.size + patterns.length < new Set(value).size || patterns.includes(null)) return () => true;
  return (address, written) =>
    [address, written].some((link) => texts.has(link) || patterns.some((fits) => fits?.(link) === true));
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
  return (text) => {
    let at = 0;
    const said = fold(text);
    for (const [index, piece] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      const wanted = fold(piece);
      let found = isLast && isToEnd ? said.length - wanted.length : said.indexOf(wanted, at);
      if (isLast && isToEnd && (found < at || !said.endsWith(wanted))) found = -1;
      if (found === -1 || (index === 0 && isFromStart && found !== 0)) return false;
      at = found + wanted.length;
    }
    return true;
  };
}
