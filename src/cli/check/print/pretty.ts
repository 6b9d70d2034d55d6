import { styleText } from 'node:util';
import type { CheckedLink, CheckResult } from '../check-result.ts';
import { type GroupedLinks, groupAlike } from './group-alike.ts';
import {
  brokenLinks,
  countFixable,
  leadsOutside,
  number,
  type Print,
  type PrintOptions,
  printable,
  tallyLinks,
  warnedLinks,
} from './report.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** A finding of a file, with its position. */
interface Row {
  readonly line: number;
  readonly position: string;
  readonly lines: readonly string[];
}

/** The result for people: the findings by file, and one line of totals at the end. */
export const printPretty: Print = (result, options) => {
  const paint: Paint = options.colours ? createPaint() : (_style, text) => text;
  const rows = new Map<string, Row[]>();
  const add = (file: string, row: Row) => {
    const known = rows.get(file);
    if (known === undefined) rows.set(file, [row]);
    else known.push(row);
  };
  if (options.all) {
    const fixed = new Set(result.fixed.map(keyOf));
    // A link that the change fixed has a row of its own below, with what was wrong.
    for (const link of result.links)
      if (link.status === 'broken' || !fixed.has(keyOf(link))) add(link.file, rowOf(link, paint));
    for (const link of result.fixed) add(link.file, rowOf(link, paint));
  } else {
    for (const { link, ...alike } of groupAlike(brokenLinks(result, options)))
      add(link.file, withOthers(rowOf(link, paint), alike, paint));
    for (const link of warnedLinks(result)) add(link.file, rowOf(link, paint));
  }
  for (const { file, line, message, fails } of result.notices) {
    const lines = [`${fails ? paint('red', 'error') : paint('yellow', 'warning')}  ${printable(message)}`];
    add(file, { line: line ?? 0, position: line === null ? '' : String(line), lines });
  }
  const parts = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, found]) => fileBlock(file, found, paint));
  if (result.fixed.length > 0 && !options.all) parts.push(fixedBlock(result.fixed, paint));
  parts.push(summarise(result, options, paint));
  return `${parts.join('\n\n')}\n`;
};

/** Paints texts without colours of their own, with the codes of `styleText`, which reads its arguments anew for each text. */
function createPaint(): Paint {
  const known = new Map<Style, readonly string[]>();
  return (style, text) => {
    // The stream decides about colours, not the environment of this call.
    const codes = known.get(style) ?? styleText(style, '|', { validateStream: false }).split('|');
    known.set(style, codes);
    return codes.join(text);
  };
}

function fileBlock(file: string, rows: readonly Row[], paint: Paint): string {
  // Spread into `Math.max`, the rows of a large file would exceed the arguments of a call.
  const width = rows.reduce((widest, { position }) => Math.max(widest, position.length), 0);
  const sorted = [...rows].sort((a, b) => a.line - b.line);
  const lines = sorted.flatMap(({ position, lines: [first = '', ...more] }) => [
    `  ${paint('dim', position.padEnd(width))}  ${first}`,
    ...more.map((line) => `  ${' '.repeat(width)}  ${line}`),
  ]);
  return [paint('underline', printable(file)), ...lines].join('\n');
}

const VERDICTS: Readonly<Record<CheckedLink['status'], readonly [Style, string]>> = {
  broken: ['red', 'broken'],
  ok: ['green', 'ok'],
  'in-app': ['blue', 'in-app'],
  unchecked: ['dim', 'unchecked'],
};

const OUTSIDE = ['dim', 'outside'] as const;
const FIXED = ['green', 'fixed'] as const;
const WARNING = ['yellow', 'warning'] as const;

function verdictOf(link: CheckedLink): readonly [Style, string] {
  if (link.change === 'fixed') return FIXED;
  if (link.warning !== null && link.status !== 'broken') return WARNING;
  return leadsOutside(link) ? OUTSIDE : VERDICTS[link.status];
}

function keyOf({ file, target }: CheckedLink): string {
  return `${file} ${target}`;
}

/** The message with its rule, and below it the link as written and the suggestion. */
function rowOf(link: CheckedLink, paint: Paint): Row {
  const { line, column, warning, rule } = link;
  const [style, word] = verdictOf(link);
  const id = link.status === 'broken' ? rule : (warning?.rule ?? null);
  const message = link.status === 'broken' ? link.message : (warning?.message ?? link.message);
  const parts = [paint(style, word), printable(message ?? ''), id === null ? '' : paint('dim', id)];
  const target = printable(link.target);
  const hint = link.suggestion === null ? '' : ` → ${paint('green', printable(link.suggestion))}`;
  return {
    line,
    position: `${line}:${column}`,
    lines: [
      parts.filter((part) => part !== '').join('  '),
      target === '' && hint === '' ? '' : `${target}${hint}`,
    ].filter((line) => line !== ''),
  };
}

/** The row with how many more links lead to the same place. */
function withOthers(row: Row, { others, files }: Omit<GroupedLinks, 'link'>, paint: Paint): Row {
  if (others === 0) return row;
  const text = `${number(others, 'more link')} in ${number(files, 'file')} to the same; --all shows each.`;
  return { ...row, lines: [...row.lines, paint('dim', text)] };
}

function fixedBlock(fixed: readonly CheckedLink[], paint: Paint): string {
  const lines = fixed.map((link) => `  ${printable(link.file)}:${link.line}  ${printable(link.target)}`);
  return [paint('green', 'Fixed'), ...lines].join('\n');
}

function summarise(result: CheckResult, options: PrintOptions, paint: Paint): string {
  const { baseName } = options;
  const { links, broken, inApp, unchecked, outside, introduced, existing, fixed } = tallyLinks(result);
  const fixable = options.fix === true ? 0 : countFixable(result);
  const base = baseName === null ? '' : ` --base ${printable(baseName)}`;
  const hint = fixable === 0 ? '' : `\n${fixable} can be fixed: docloom check${base} --fix`;
  const checked = `${number(links, 'link')} in ${number(result.files, 'file')}`;
  const tint = (count: number, style: Style, text: string) => (count === 0 ? text : paint(style, text));
  if (result.base !== null) {
    const against = `${baseName ?? 'the base'} (${result.base.slice(0, 10)})`;
    const counts = [
      tint(introduced, 'red', `${introduced} introduced`),
      `${existing} existing`,
      tint(fixed, 'green', `${fixed} fixed`),
    ];
    return `${checked} against ${printable(against)}: ${counts.join(', ')}.${hint}`;
  }
  const counts = [
    tint(broken, 'red', `${broken} broken`),
    ...(inApp > 0 ? [`${inApp} in the app`] : []),
    ...(outside > 0 ? [`${outside} outside`] : []),
    `${unchecked - outside} unchecked`,
  ];
  return `${checked}: ${counts.join(', ')}.${hint}`;
}
