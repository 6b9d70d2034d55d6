import type { Reference } from '../model/index.ts';

/** The end of a link in code. */
const LINK = /\]\(<?([^()<>\s`]{1,300})>?\)/g;

/** Each missing destination of the page is looked for among them. */
const MAX_EXAMPLES = 1_000;

/**
 * The destinations of links that the text also shows as code: `[name](Note.md)` beside what becomes of it is an example of how
 * links are written.
 */
export function exampleTargets(source: string, references: readonly Reference[]): readonly string[] {
  if (!source.includes('`') || !source.includes('](')) return [];
  const shown = new Set<string>();
  for (const line of source.split('\n')) {
    if (!line.includes('](') || !line.includes('`')) continue;
    for (const code of codeSpans(line)) {
      for (const [, target = ''] of code.matchAll(LINK)) shown.add(target);
    }
  }
  if (shown.size === 0) return [];
  const targets = [...new Set(references.map(({ target }) => target))];
  return targets.filter((target) => shown.has(target)).slice(0, MAX_EXAMPLES);
}

/** What stands between two runs of backticks of one length; CommonMark, section 6.1. */
function codeSpans(line: string): readonly string[] {
  const runs = [...line.matchAll(/`+/g)];
  /** For each run the next one of its length. */
  const closing: (number | undefined)[] = [];
  const last = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = runs[at]?.[0].length ?? 0;
    closing[at] = last.get(length);
    last.set(length, at);
  }
  const spans: string[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const [open, close] = [runs[at], runs[closing[at] ?? -1]];
    if (open === undefined || close === undefined) continue;
    spans.push(line.slice(open.index + open[0].length, close.index));
    at = closing[at] ?? at;
  }
  return spans;
}
