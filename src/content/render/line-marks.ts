import type { Element, ElementContent, Root } from 'hast';
import { element, walkElements } from './hast-elements.ts';

/** How a line of code is marked. */
type LineMark = 'mark' | 'add' | 'remove';

/** The marks of one block of code by the numbers of its lines, which start at 1. */
export type MarkedLines = ReadonlyMap<number, LineMark>;

/** Lines of one block beyond this number are not marked; they cost an element each. */
const MAX_LINE = 5_000;

const SIGNS = { mark: '', add: '+', remove: '-' } as const;

/**
 * Reads which lines the info string of fenced code marks, as `1 3-5 +7`: `{1,3-5}` (VitePress, Docusaurus, Starlight),
 * `ins={7}` and `del={8}` (Starlight), `hl_lines="1 3"` (Material).
 */
export function markedLinesIn(info: string): string {
  const words: string[] = [];
  for (const [, key = 'mark', lines = '', spaced] of info.matchAll(RANGES)) {
    const kind = KEYS.get(key);
    if (kind === undefined) continue;
    const ranges = (spaced ?? lines).split(/[\s,]+/).filter((range) => /^\d{1,5}(?:-\d{1,5})?$/.test(range));
    words.push(...ranges.map((range) => SIGNS[kind] + range));
  }
  return words.join(' ');
}

/** Other keys with ranges say something else, such as which lines are folded. */
const KEYS: ReadonlyMap<string, LineMark> = new Map([
  ['mark', 'mark'],
  ['ins', 'add'],
  ['del', 'remove'],
]);

const RANGES = /(?:\b(\w{1,20})=)?\{([\d\s,-]{1,500})\}|\bhl_lines="([\d\s-]{1,500})"/g;

/**
 * Takes the marks of lines out of blocks of code: those of their info strings, and comments that mark the line on which
 * they are (`// [!code ++]`) or the next ones (`// highlight-next-line`), which are not shown. Runs before the code is
 * highlighted.
 */
export function takeLineMarks(root: Root): ReadonlyMap<Element, MarkedLines> {
  const found = new Map<Element, MarkedLines>();
  walkElements(root, (code) => {
    if (code.tagName !== 'code') return;
    const written = code.properties['dataLines'];
    delete code.properties['dataLines'];
    const marks = new Map(typeof written === 'string' ? rangesOf(written) : []);
    const [only, ...others] = code.children;
    if (only?.type === 'text' && others.length === 0 && COMMENT.test(only.value))
      only.value = takeComments(only.value, marks);
    if (marks.size > 0) found.set(code, marks);
  });
  return found;
}

function rangesOf(words: string): [number, LineMark][] {
  return words.split(' ').flatMap((word) => {
    const [, sign, first = '', last] = /^([+-]?)(\d+)(?:-(\d+))?$/.exec(word) ?? [];
    const kind = sign === '+' ? 'add' : sign === '-' ? 'remove' : 'mark';
    const from = Number(first);
    const length = Math.min(Number(last ?? first), MAX_LINE) - from + 1;
    return Array.from({ length: Math.max(0, length) }, (_, at): [number, LineMark] => [from + at, kind]);
  });
}

const COMMENT = /\[!code |highlight-(?:next-line|start|end)/;

/** A comment at the end of a line, in the signs of most languages. */
const CODE_COMMENT =
  /[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*|\{\/\*)[ \t]*\[!code (\+\+|--|highlight|hl|focus|error|warning)(?::(\d{1,4}))?\][ \t]*(?:-->|\*\/\}?)?[ \t]*$/;

/** A line that is nothing but a comment. */
const LINE_COMMENT =
  /^[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*|\{\/\*)[ \t]*highlight-(next-line|start|end)[ \t]*(?:-->|\*\/\}?)?[ \t]*$/;

function takeComments(source: string, marks: Map<number, LineMark>): string {
  const shown: string[] = [];
  let isMarked = false;
  let isNextMarked = false;
  for (const line of source.split('\n')) {
    const around = line.length > 1_000 ? null : LINE_COMMENT.exec(line);
    if (around !== null) {
      if (around[1] === 'next-line') isNextMarked = true;
      else isMarked = around[1] === 'start';
      continue;
    }
    const own = line.length > 1_000 ? null : CODE_COMMENT.exec(line);
    const text = own === null ? line : line.slice(0, own.index);
    const number = shown.length + 1;
    if (isMarked || isNextMarked) marks.set(number, 'mark');
    isNextMarked = false;
    if (own !== null) {
      const kind = own[1] === '++' ? 'add' : own[1] === '--' ? 'remove' : 'mark';
      const count = Math.min(Number(own[2] ?? 1), MAX_LINE);
      // A comment that counts lines and stands alone marks those after it.
      const isAlone = text.trim() === '' && own[2] !== undefined;
      for (let at = 0; at < count; at += 1) marks.set(number + at, kind);
      if (isAlone) continue;
    }
    shown.push(text);
  }
  return shown.join('\n');
}

/** Puts the marked lines of blocks of code into elements. Runs after the code is highlighted. */
export function wrapMarkedLines(found: ReadonlyMap<Element, MarkedLines>): void {
  for (const [code, marks] of found) {
    code.children = linesOf(code.children).flatMap((line, at) => {
      const kind = marks.get(at + 1);
      if (kind === undefined || line.length === 0) return line;
      return [element('span', line, { className: ['line', `line-${kind}`] })];
    });
  }
}

/** Divides the tokens of code into lines, with the newline at the end of each; a token of several lines is divided, too. */
function linesOf(children: readonly ElementContent[]): ElementContent[][] {
  const lines: ElementContent[][] = [[]];
  for (const child of children) {
    const parts = partsOf(child);
    parts.forEach((part, at) => {
      if (at === 0) lines.at(-1)?.push(...part);
      else lines.push(part);
    });
  }
  return lines;
}

function partsOf(child: ElementContent): ElementContent[][] {
  if (child.type === 'element')
    return linesOf(child.children).map((part) => (part.length === 0 ? [] : [{ ...child, children: part }]));
  if (child.type !== 'text') return [[child]];
  const texts = child.value.split('\n');
  return texts.map((text, at) => {
    const value = at < texts.length - 1 ? `${text}\n` : text;
    return value === '' ? [] : [{ type: 'text', value }];
  });
}
