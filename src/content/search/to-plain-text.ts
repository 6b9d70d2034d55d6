import { replaceEntities } from './replace-entities.ts';

/** Longer lines are usually data, so the rest of them is left out. In UTF-16 code units. */
const MAX_LINE = 20_000;

/**
 * The words of a piece of Markdown on one line, for the search index: markup, tags, link destinations and the delimiters of
 * builders' blocks are removed, code is not. It does not parse, so some markup may remain. Takes linear time.
 */
export function toPlainText(lines: readonly string[]): string {
  const words: string[] = [];
  let fence: string | null = null;
  let inComment = false;
  for (const whole of lines) {
    let line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
    const mark = /^[ \t>]{0,20}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && !inComment && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      continue;
    }
    if (fence !== null) {
      words.push(line.trim());
      continue;
    }
    [line, inComment] = withoutComments(line, inComment);
    if (line.trim() !== '') words.push(stripMarkup(line));
  }
  return words.join(' ').replace(/\s+/g, ' ').trim();
}

function withoutComments(line: string, startsInside: boolean): [string, boolean] {
  if (!startsInside && !line.includes('<!--')) return [line, false];
  let text = '';
  let inside = startsInside;
  for (let at = 0; at < line.length; ) {
    const next = line.indexOf(inside ? '-->' : '<!--', at);
    if (!inside) text += line.slice(at, next === -1 ? line.length : next);
    if (next === -1) break;
    at = next + (inside ? 3 : 4);
    inside = !inside;
  }
  return [text, inside];
}

function stripMarkup(line: string): string {
  if (/^\s{0,3}\[[^\]]{1,500}\]:\s/.test(line) || /^[\s|:=-]+$/.test(line)) return '';
  if (/^(?:import|export)\s.{0,1000}\sfrom\s+['"]/.test(line)) return '';
  let text = line.replace(/^[\s>]*(?:#{1,6}\s|[*+-]\s(?:\[[ xX]\]\s)?|\d{1,9}[.)]\s|:{3,}\s?)?/, '');
  if (text.includes('{%')) text = text.replace(/\{%[^%]{0,2000}%\}/g, ' ');
  if (text.includes('](')) {
    text = text.replace(
      /!?\[([^[\]]{0,1000})\]\((?:<[^<>]{0,2000}>|[^()]{0,2000}(?:\([^()]{0,500}\)[^()]{0,500})?)\)/g,
      '$1',
    );
    // The text of a link may be an image, which is removed before the link.
    if (text.includes('](')) text = text.replace(/\[([^[\]]{0,1000})\]\([^()]{0,2000}\)/g, '$1');
  }
  if (text.includes('<')) text = text.replace(/<\/?[a-zA-Z][^<>]{0,4000}>/g, ' ');
  if (text.includes('|')) text = text.replaceAll('|', ' ');
  text = text.replace(/[*`]+|~~|\\(?=[!-/:-@[-`{-~])/g, '');
  return replaceEntities(text);
}
