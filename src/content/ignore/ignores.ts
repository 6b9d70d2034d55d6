import type { Link, Problem, RepoPath } from '../model/index.ts';
import { compileGlob } from '../text/index.ts';
import type { IgnoreRule } from './ignore-rule.ts';
import type { IgnoreComments, IgnoredRange, readIgnoreComments } from './read-ignore-comments.ts';

export interface IgnoreOptions {
  readonly rules: readonly IgnoreRule[];
  /** The comments of a file in the tree; undefined when it was not read. */
  readonly commentsOf: (file: RepoPath) => IgnoreComments | undefined;
  /** The current day, `YYYY-MM-DD`: entries that expired before it ignore nothing. */
  readonly today: string;
}

/** A problem of an entry or a comment that ignores links. */
export interface IgnoreProblem extends Omit<Problem, 'rule'> {
  readonly file: RepoPath;
  readonly rule: 'unused-ignore' | 'expired-ignore' | 'invalid-ignore';
}

export interface Ignores {
  /** Returns the links in the same order; an ignored link is no longer broken, and its message says why it does not count. */
  apply(links: readonly Link[]): readonly Link[];
  /** Entries of the configuration that expired, or that matched none of the links so far. */
  problemsOfRules(configFile: RepoPath): readonly IgnoreProblem[];
  /** Comments of one file that are invalid, or that matched none of the links so far. */
  problemsOfFile(file: RepoPath): readonly IgnoreProblem[];
}

/** Ignores the broken links of one tree by the configuration's rules and the comments of its files. */
export function createIgnores({ rules, commentsOf, today }: IgnoreOptions): Ignores {
  const used = new Set<IgnoreRule | IgnoredRange>();
  const hasExpired = (rule: IgnoreRule) => rule.until !== null && rule.until < today;
  const entries = rules.filter(({ severity }) => severity === undefined);
  const tests = entries.filter((rule) => !hasExpired(rule)).map((rule) => [rule, compileRule(rule)] as const);
  const severities = new Map(
    rules.flatMap(({ rule, severity }) => (severity && rule ? [[rule, severity]] : [])),
  );

  function reasonFor(link: Link): string | null {
    // Every match counts as used, so that of two overlapping entries neither is reported as unused.
    const parts = (commentsOf(link.file)?.parts ?? []).filter((part) => isWithin(link, part));
    const matching = tests.flatMap(([rule, matches]) => (matches(link) ? [rule] : []));
    for (const source of [...parts, ...matching]) used.add(source);
    return (parts[0] ?? matching[0])?.reason ?? null;
  }

  return {
    apply: (links) =>
      links.map((link) => {
        const rule = ruleOf(link);
        if (rule === null) return link;
        const reason = reasonFor(link);
        if (reason !== null) return markIgnored(link, reason);
        const severity = severities.get(rule);
        if (severity === 'off') return markIgnored(link, `The configuration turns the rule ${rule} off.`);
        return severity === 'warning' ? downgradedToWarning(link) : link;
      }),
    problemsOfRules: (file) =>
      entries.flatMap((rule): IgnoreProblem[] => {
        const { line } = rule;
        if (hasExpired(rule)) {
          const message = `This entry expired on ${rule.until}, so its links count again. Fix them, or set a new date.`;
          return [{ file, line, rule: 'expired-ignore', message }];
        }
        if (used.has(rule)) return [];
        return [
          { file, line, rule: 'unused-ignore', message: 'No broken link matches this entry. Remove it.' },
        ];
      }),
    problemsOfFile: (file) => {
      const { parts = [], problems = [] } = commentsOf(file) ?? {};
      const unused = parts.filter((part) => !used.has(part));
      return [
        ...problems.map((problem) => ({ ...problem, file, rule: 'invalid-ignore' as const })),
        ...unused.map(({ line, directive }) => ({
          file,
          line,
          rule: 'unused-ignore' as const,
          message: `This docloom-ignore-${directive} ignores no broken link. Remove it.`,
        })),
      ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    },
  };
}

/** The rule for which the link is reported: the rule that it breaks, or the rule of its warning; null for none. */
function ruleOf(link: Link): string | null {
  return link.status === 'broken' ? link.rule : (link.warning?.rule ?? null);
}

function compileRule({ target, file, rule }: IgnoreRule): (link: Link) => boolean {
  const matchesTarget = target === null ? null : compileGlob(target);
  const matchesFile = file === null ? null : compileGlob(file.replace(/^\.?\//, ''));
  const matchesRule = rule === null ? null : compileGlob(rule);
  return (link) =>
    (matchesRule?.(ruleOf(link) ?? '') ?? true) &&
    (matchesTarget?.(link.target) ?? true) &&
    (matchesFile?.(link.file) ?? true);
}

function isWithin({ line, column }: Link, { from, to }: IgnoredRange): boolean {
  const isBehind = line > from.line || (line === from.line && column >= from.column);
  return isBehind && (line < to.line || (line === to.line && column < to.column));
}

function markIgnored(link: Link, reason: string): Link {
  if (link.status !== 'broken') return { ...link, warning: null, suggestion: null };
  const message = `Ignored: ${reason}`;
  return { ...link, status: 'unchecked', rule: null, message, warning: null, suggestion: null };
}

/** Turns a broken link into a link with a warning. */
function downgradedToWarning(link: Link): Link {
  const { rule, message } = link;
  if (link.status !== 'broken' || rule === null) return link;
  return { ...link, status: 'unchecked', rule: null, warning: { rule, message: message ?? '' } };
}

/** Loads the reader for the comments of a page, and the parser that it needs, only when there are such comments. */
export async function loadCommentReader(): Promise<typeof readIgnoreComments> {
  return (await import('./read-ignore-comments.ts')).readIgnoreComments;
}
