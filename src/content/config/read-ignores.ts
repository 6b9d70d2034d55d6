import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { compileGlob } from '../ignore/compile-glob.ts';
import type { IgnoreRule } from '../ignore/ignore-rule.ts';
import { knownRules } from '../ignore/known-rules.ts';
import { IgnoreEntry, MAX_IGNORES, MAX_PATTERN_LENGTH } from './config-schema.ts';
import { nearestWord } from './nearest-word.ts';

/** What a part of the configuration file is read with. */
export interface ConfigReport {
  /** Notes a mistake at a node. */
  refuse(message: string, node: Node): null;
  refuseUnknownKeys(map: Node, known: readonly string[]): void;
  lineOf(node: Node): number;
}

/** Reads `checks`, which holds the list `ignore`. */
export function readIgnores(checks: Node, report: ConfigReport): readonly IgnoreRule[] {
  if (!isMap(checks))
    return report.refuse('`checks` must hold keys and values, such as `ignore:`.', checks) ?? [];
  report.refuseUnknownKeys(checks, ['ignore']);
  const list = checks.get('ignore', true) as Node | undefined;
  if (list === undefined) return [];
  if (!isSeq(list)) {
    return report.refuse('`ignore` must be a list of `{target, file, rule, reason, until}`.', list) ?? [];
  }
  if (list.items.length > MAX_IGNORES) {
    report.refuse(`There are ${list.items.length} entries, and at most ${MAX_IGNORES} are possible.`, list);
    return [];
  }
  return list.items.flatMap((item) => readEntry(item as Node, report) ?? []);
}

function readEntry(item: Node, report: ConfigReport): IgnoreRule | null {
  if (!isMap(item)) return report.refuse('An entry must be `{target, file, rule, reason, until}`.', item);
  report.refuseUnknownKeys(
    item,
    Object.keys(IgnoreEntry.properties).filter((key) => key !== 'line'),
  );
  const text = (key: string) => readText(item, key, report);
  const [target, file, rule, reason, until] = [
    text('target'),
    text('file'),
    text('rule'),
    text('reason'),
    text('until'),
  ];
  const given = ['target', 'file', 'rule', 'reason', 'until'].filter((key) => item.has(key)).length;
  // A key whose value is no text was told already.
  if (given > [target, file, rule, reason, until].filter((one) => one !== null).length) return null;
  if (target === null && file === null && rule === null) {
    return report.refuse('The entry says nothing of what to ignore: give `target`, `file` or `rule`.', item);
  }
  if (reason === null)
    return report.refuse('The key `reason` is missing: say why this may stay broken.', item);
  const ruleNode = item.get('rule', true) as Node | undefined;
  if (rule !== null && ruleNode !== undefined && !knownRules.some(compileGlob(rule))) {
    const near = nearestWord(rule, knownRules);
    const hint = near === null ? `Possible: ${knownRules.join(', ')}.` : `Did you mean \`${near}\`?`;
    return report.refuse(`There is no rule \`${rule}\`. ${hint}`, ruleNode);
  }
  const untilNode = item.get('until', true) as Node | undefined;
  if (until !== null && untilNode !== undefined && !isDay(until)) {
    return report.refuse('`until` must be a day, such as 2030-12-31.', untilNode);
  }
  return { target, file, rule, reason, until, line: report.lineOf(item) };
}

/** The text of a key; null when it is not there, or is no text, which is then noted. */
function readText(item: YAMLMap, key: string, report: ConfigReport): string | null {
  const node = item.get(key, true) as Node | undefined;
  if (node === undefined) return null;
  if (!isScalar(node) || typeof node.value !== 'string' || node.value.trim() === '') {
    return report.refuse(`\`${key}\` must be text.`, node);
  }
  if (node.value.length > MAX_PATTERN_LENGTH) {
    return report.refuse(`\`${key}\` is longer than ${MAX_PATTERN_LENGTH} characters.`, node);
  }
  return node.value.trim();
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
