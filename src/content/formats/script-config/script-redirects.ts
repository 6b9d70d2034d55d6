import { findScriptLiterals, type ScriptGroup, type ScriptLiteral } from './script-literals.ts';

/** The range to delete for an entry of a list or object in a script. */
export interface ScriptEntryRange {
  readonly start: number;
  readonly end: number;
}

/** Adds entries at the end of a list or object, in the style of the existing ones: on one line, or one per line. */
export function addScriptEntries(text: string, group: ScriptGroup, entries: readonly string[]) {
  const inner = text.slice(group.start, group.end);
  const code = withoutComments(inner);
  const indent = `${indentAt(text, group.start)}${unitOf(text)}`;
  const isEmpty = code.trim() === '';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lastCharacter = isEmpty ? null : lastCharacterAt(inner);
  const at = group.start + (lastCharacter === null ? 0 : lastCharacter + 1);
  // A comment after the last entry stays on its line.
  const lineEnd = lastCharacter === null ? -1 : inner.indexOf(eol, lastCharacter);
  const comment = lineEnd === -1 ? '' : text.slice(at, group.start + lineEnd);
  const needsComma = lastCharacter !== null && inner[lastCharacter] !== ',';
  const isInline = !isEmpty && !inner.includes('\n');
  const lines = entries.map((entry, index) => {
    if (isInline) return ` ${entry}${index < entries.length - 1 ? ',' : ''}`;
    return `${eol}${isEmpty ? indent : indentOfFirst(inner, indent)}${entry},`;
  });
  const tail = isEmpty && !inner.includes('\n') ? `${eol}${indentAt(text, group.start)}` : '';
  return {
    start: at,
    end: at + comment.length,
    text: `${needsComma ? ',' : ''}${comment}${lines.join('')}${tail}`,
  };
}

/** The whole lines of an entry that is alone on them, with its comma; null for other entries. */
export function scriptEntryLines(text: string, first: number, last: number): ScriptEntryRange | null {
  const start = text.lastIndexOf('\n', first - 1) + 1;
  const rest = /^[ \t]*,?[ \t]*(?:\/\/[^\n]*)?\r?\n/.exec(text.slice(last, last + 500));
  if (text.slice(start, first).trim() !== '' || rest === null) return null;
  return { start, end: last + rest[0].length };
}

/** The object with the settings: the default export, or the argument of the `define…Config` call that is exported. */
export function settingsGroup(text: string): ScriptGroup | null {
  const found = findScriptLiterals(text).groups.filter(({ bracket, isExported, parent }) => {
    if (bracket !== '{') return false;
    if (parent === null) return isExported;
    return parent.bracket === '(' && parent.parent === null && /^define\w*Config$/.test(parent.callee);
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The list or object that is the value of a key of a group; null when it is not unique. */
export function groupOfKey(
  text: string,
  parent: ScriptGroup,
  key: string,
  bracket: ScriptGroup['bracket'],
): ScriptGroup | null {
  const { groups } = findScriptLiterals(text);
  const found = groups.filter(
    (group) => group.bracket === bracket && group.key === key && group.parent?.start === parent.start,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The literals directly in a group. */
export function literalsOf(text: string, group: ScriptGroup): readonly ScriptLiteral[] {
  return findScriptLiterals(text).literals.filter((literal) => literal.group?.start === group.start);
}

/** Writes a text in the quotes that the script uses most. */
export function quoteLike(text: string, value: string): string {
  const doubles = text.split('"').length > text.split("'").length;
  const quote = doubles ? '"' : "'";
  return (
    quote +
    value.replace(/[\\'"]/g, (character) =>
      character === quote || character === '\\' ? `\\${character}` : character,
    ) +
    quote
  );
}

function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

function indentOfFirst(inner: string, standard: string): string {
  return /\n([ \t]*)[^\s/]/.exec(inner)?.[1] ?? standard;
}

function unitOf(text: string): string {
  return /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  ';
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(^|[\s,{[])\/\/[^\n]*/g, '$1');
}

/** The offset of the last character outside comments. */
function lastCharacterAt(inner: string): number {
  const blank = inner.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s,{[])\/\/[^\n]*/g, (comment) =>
    ' '.repeat(comment.length),
  );
  return blank.trimEnd().length - 1;
}
