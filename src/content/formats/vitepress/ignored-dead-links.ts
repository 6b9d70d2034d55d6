import { isList, type ScriptValue, UNKNOWN } from '../script-config/script-value.ts';

/** Regular expressions of one configuration that are read. */
const MAX_PATTERNS = 200;

/**
 * Links that a site's author says may lead nowhere, because something else is published there: texts, and regular
 * expressions of plain words, `.` and `.*` (https://vitepress.dev/reference/site-config#ignoredeadlinks). Where an entry
 * cannot be read, every link may be one of them. That all dead links pass the build makes none of them lead anywhere.
 */
export function ignoredDeadLinks(
  value: ScriptValue,
  text: string,
): (address: string, written: string) => boolean {
  if (!isList(value)) return () => value === UNKNOWN;
  const texts = new Set(value.filter((one) => typeof one === 'string'));
  const patterns = patternsIn(text);
  const unread = value.filter((one) => typeof one !== 'string').length;
  if (unread > patterns.length || patterns.includes(null)) return () => true;
  return (address, written) =>
    [address, written].some((one) => texts.has(one) || patterns.some((fits) => fits?.(one) === true));
}

/** The regular expressions of the list, in its text; null for one that is not understood. */
function patternsIn(text: string): readonly (((text: string) => boolean) | null)[] {
  const start = text.search(/\bignoreDeadLinks\s{0,50}:/);
  if (start === -1) return [];
  const list = text.slice(start, start + 20_000);
  const found = [
    ...list.matchAll(/(?<=[[,\n]\s{0,200})\/((?:[^\n\\/[]|\\[^\n]){1,300})\/([a-z]{0,8})(?=\s{0,200}[,\]])/g),
  ];
  return found.slice(0, MAX_PATTERNS).map(([, source = '', flags = '']) => compile(source, flags));
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
