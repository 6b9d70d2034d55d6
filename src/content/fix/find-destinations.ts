import { decodeReferences } from './decode-references.ts';
import { type AttributeValue, readAttributes } from './read-attributes.ts';
import type { Notation } from './write-destination.ts';

/** The offsets of a destination inside its construct, and how it is written there. */
export interface FoundDestination {
  readonly start: number;
  readonly end: number;
  readonly notation: Notation;
}

/**
 * Finds `target`, a destination after unescaping, in a construct (a link, definition, tag, block, …, as written in the
 * file). Returns nothing unless the text is certainly the destination: whatever is returned decodes to `target`. Several
 * results come from one tag that has the same address twice.
 */
export function findDestinations(construct: string, target: string): readonly FoundDestination[] {
  const inline = /^!?\[/.test(construct)
    ? (findInline(construct, target) ?? findDefinition(construct, target))
    : null;
  if (inline !== null) return [inline];
  const bracketed = /^<([^\s<>]*)>$/.exec(construct)?.[1];
  if (bracketed !== undefined && bracketed === target) {
    return [{ start: 1, end: construct.length - 1, notation: 'autolink' }];
  }
  if (construct === target) return [{ start: 0, end: construct.length, notation: 'bare' }];
  const inAttributes = readAttributes(construct).flatMap((attribute) =>
    findInAttribute(construct, attribute, target),
  );
  return inAttributes.length > 0 ? inAttributes : findOnce(construct, target);
}

/** The text before the path in mdBook's `{{#include …}}` and VitePress's `<<< …` and `<!-- @include: … -->`. */
const INCLUDE = /^\s*(?:\{\{\s*#\w+\s+|<<<\s*|<!--\s*@include:\s*)$/;

/**
 * The only occurrence of the target on its own: in quotes, in an include, or at the end after a colon and a space.
 */
function findOnce(construct: string, target: string): readonly FoundDestination[] {
  const start = target === '' ? -1 : construct.indexOf(target);
  const end = start + target.length;
  if (start === -1 || construct.includes(target, start + 1)) return [];
  const [before, after] = [construct[start - 1] ?? '', construct[end] ?? ''];
  if (before === after && /["'`]/.test(before)) return [{ start, end, notation: 'quoted' }];
  if (INCLUDE.test(construct.slice(0, start)) && /^(?:$|[\s:{}#[<-])/.test(after)) {
    return [{ start, end, notation: 'include' }];
  }
  const isValue = /:\s+$/.test(construct.slice(0, start)) && construct.slice(end).trim() === '';
  return isValue ? [{ start, end, notation: 'bare' }] : [];
}

/** `[text](destination "title")`, also with `!`: the text may contain brackets, so the end of the construct decides. */
function findInline(construct: string, target: string): FoundDestination | null {
  for (let at = construct.indexOf(']('); at !== -1; at = construct.indexOf('](', at + 1)) {
    const found = readDestination(construct, skipSpace(construct, at + 2));
    if (found !== null && readsAs(construct, found, target) && endsAfterTitle(construct, found.close, ')'))
      return found;
  }
  return null;
}

/** `[label]: destination "title"`. */
function findDefinition(construct: string, target: string): FoundDestination | null {
  for (let at = construct.indexOf(']:'); at !== -1; at = construct.indexOf(']:', at + 1)) {
    const found = readDestination(construct, skipSpace(construct, at + 2));
    if (found !== null && readsAs(construct, found, target) && endsAfterTitle(construct, found.close, ''))
      return found;
  }
  return null;
}

interface ReadDestination extends FoundDestination {
  /** The offset after the destination and its `>`. */
  readonly close: number;
}

/** A link destination of CommonMark 6.3 that starts at `at`: between `<` and `>`, or up to a space or its parenthesis. */
function readDestination(text: string, at: number): ReadDestination | null {
  if (text[at] === '<') {
    for (let end = at + 1; end < text.length; end += 1) {
      const character = text[end];
      if (character === '\\') end += 1;
      else if (character === '\n' || character === '<') return null;
      else if (character === '>') return { start: at + 1, end, close: end + 1, notation: 'angle' };
    }
    return null;
  }
  let depth = 0;
  let end = at;
  for (; end < text.length; end += 1) {
    const character = text[end] ?? '';
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text[end + 1] ?? '')) end += 1;
    else if (character <= ' ') break;
    else if (character === '(') depth += 1;
    else if (character === ')' && depth === 0) break;
    else if (character === ')') depth -= 1;
  }
  return { start: at, end: Math.min(end, text.length), close: Math.min(end, text.length), notation: 'raw' };
}

/** Whether there is nothing but a title between `at` and `close` at the construct's end. */
function endsAfterTitle(construct: string, at: number, close: string): boolean {
  if (!construct.endsWith(close)) return false;
  const rest = construct.slice(at, construct.length - close.length);
  if (at > construct.length - close.length) return false;
  const title = withoutMarkers(rest).trim();
  if (title === '') return true;
  if (!/^\s/.test(rest) || title.length < 2) return false;
  const [open, end] = [title[0] ?? '', title.at(-1) ?? ''];
  return (open === '"' && end === '"') || (open === "'" && end === "'") || (open === '(' && end === ')');
}

function readsAs(construct: string, { start, end }: FoundDestination, target: string): boolean {
  const raw = construct.slice(start, end);
  // In a table, `\|` becomes a plain `|` before anything else is parsed.
  return resolveEscapes(raw) === target || resolveEscapes(raw.replaceAll('\\|', '|')) === target;
}

/** CommonMark 2.4 and 2.5. A backslash before `&` means that it is not a reference. */
function resolveEscapes(raw: string): string {
  return raw
    .split(/(\\[!-/:-@[-`{-~])/)
    .map((part, at) => (at % 2 === 1 ? part.slice(1) : decodeReferences(part)))
    .join('');
}

/** The offset after white space, and after the `>` of quotes at the start of a line. */
function skipSpace(text: string, start: number): number {
  let at = start;
  let isNewLine = false;
  for (; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\n') isNewLine = true;
    else if (
      !(character === ' ' || character === '\t' || character === '\r' || (character === '>' && isNewLine))
    )
      break;
  }
  return at;
}

function withoutMarkers(text: string): string {
  return text.replace(/\n[ \t>]*/g, '\n');
}

/** The whole value, or an address among those of a `srcset`. */
function findInAttribute(
  construct: string,
  { start, end, notation, value }: AttributeValue,
  target: string,
): readonly FoundDestination[] {
  const raw = construct.slice(start, end);
  if (value.trim() === target) {
    const before = raw.length - raw.trimStart().length;
    const after = raw.length - raw.trimEnd().length;
    return [{ start: start + before, end: end - after, notation }];
  }
  // Offsets in the value are those in the file only when nothing is escaped.
  if (value !== raw || target === '') return [];
  const found: FoundDestination[] = [];
  for (let at = raw.indexOf(target); at !== -1; at = raw.indexOf(target, at + target.length)) {
    const isWhole =
      /^(?:|[\s\S]*[\s,])$/.test(raw.slice(Math.max(0, at - 1), at)) &&
      /^(?:$|\s+[\d.]+[xwh]\s*(?:,|$)|\s*,(?:\s|$)|\s*$)/.test(
        raw.slice(at + target.length, at + target.length + 40),
      );
    if (isWhole) found.push({ start: start + at, end: start + at + target.length, notation: 'srcset' });
  }
  return found;
}
