import { findScriptLiterals, type ScriptGroup, type ScriptLiteral } from './script-literals.ts';

/** An entry of a list or object in a script, with what goes when it goes. */
export interface ScriptEntryRange {
  readonly start: number;
  readonly end: number;
}

/** Puts entries at the end of a list or object, one a line and in the way of those that are there. */
export function addScriptEntries(text: string, group: ScriptGroup, entries: readonly string[]) {
  const inner = text.slice(group.start, group.end);
  const kept = withoutComments(inner);
  const indent = `${indentAt(text, group.start)}${unitOf(text)}`;
  const isEmpty = kept.trim() === '';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lastSign = isEmpty ? null : lastCharacterAt(inner);
  const at = group.start + (lastSign === null ? 0 : lastSign + 1);
  // What is said behind the last entry on its line stays there.
  const lineEnd = lastSign === null ? -1 : inner.indexOf(eol, lastSign);
  const behind = lineEnd === -1 ? '' : text.slice(at, group.start + lineEnd);
  const needsComma = lastSign !== null && inner[lastSign] !== ',';
  const isInline = !isEmpty && !inner.includes('\n');
  const lines = entries.map((entry, index) => {
    if (isInline) return ` ${entry}${index < entries.length - 1 ? ',' : ''}`;
    return `${eol}${isEmpty ? indent : indentOfFirst(inner, indent)}${entry},`;
  });
  const tail = isEmpty && !inner.includes('\n') ? `${eol}${indentAt(text, group.start)}` : '';
  return {
    start: at,
    end: at + behind.length,
    text: `${needsComma ? ',' : ''}${behind}${lines.join('')}${tail}`,
  };
}

/** The whole lines of an entry that stands alone on them, with its comma; null otherwise. */
export function scriptEntryLines(text: string, first: number, last: number): ScriptEntryRange | null {
  const start = text.lastIndexOf('\n', first - 1) + 1;
  const rest = /^[ \t]*,?[ \t]*(?:\/\/[^\n]*)?\r?\n/.exec(text.slice(last, last + 500));
  if (text.slice(start, first).trim() !== '' || rest === null) return null;
  return { start, end: last + rest[0].length };
}

/** The object of a configuration's settings: what is exported, or given to the function whose result is. */
export function settingsGroup(text: string): ScriptGroup | null {
  const found = findScriptLiterals(text).groups.filter(({ mark, isExported, parent }) => {
    if (mark !== '{') return false;
    if (parent === null) return isExported;
    return parent.mark === '(' && parent.parent === null && /^define\w*Config$/.test(parent.word);
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The list or object that is the value of a key of a group. */
export function groupOfKey(
  text: string,
  parent: ScriptGroup,
  key: string,
  mark: ScriptGroup['mark'],
): ScriptGroup | null {
  const { groups } = findScriptLiterals(text);
  const found = groups.filter(
    (group) => group.mark === mark && group.key === key && group.parent?.start === parent.start,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Texts that are entries of a group themselves. */
export function literalsOf(text: string, group: ScriptGroup): readonly ScriptLiteral[] {
  return findScriptLiterals(text).literals.filter((literal) => literal.group?.start === group.start);
}

/** A text in the quotes that the script uses most. */
export function quoteLike(text: string, value: string): string {
  const doubles = text.split('"').length > text.split("'").length;
  const mark = doubles ? '"' : "'";
  return (
    mark + value.replace(/[\\'"]/g, (sign) => (sign === mark || sign === '\\' ? `\\${sign}` : sign)) + mark
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

/** Where the last sign that is no comment stands. */
function lastCharacterAt(inner: string): number {
  const blank = inner.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s,{[])\/\/[^\n]*/g, (comment) =>
    ' '.repeat(comment.length),
  );
  return blank.trimEnd().length - 1;
}
