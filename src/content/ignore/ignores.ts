import type { Link, Problem, RepoPath } from '../model/index.ts';
import { compileGlob } from '../text/index.ts';
import type { IgnoreRule } from './ignore-rule.ts';
import type { IgnoreComments, IgnoredRange, readIgnoreComments } from './read-ignore-comments.ts';

export interface IgnoreOptions {
  readonly rules: readonly IgnoreRule[];
  /** The comments of a file of the tree; undefined when it was not read. */
  readonly commentsOf: (file: RepoPath) => IgnoreComments | undefined;
  /** The day it is, `YYYY-MM-DD`: what has ended by then ignores nothing. */
  readonly today: string;
}

/** What is wrong with the ignoring itself. */
export interface IgnoreProblem extends Omit<Problem, 'rule'> {
  readonly file: RepoPath;
  readonly rule: 'unused-ignore' | 'expired-ignore' | 'invalid-ignore';
}

export interface Ignores {
  /** The links in their order; an ignored one is no longer broken, and its message says why it does not count. */
  apply(links: readonly Link[]): readonly Link[];
  /** Entries of the configuration that ended, or that ignored nothing in all links so far. */
  problemsOfRules(configFile: RepoPath): readonly IgnoreProblem[];
  /** Comments of one file that cannot be followed, or that ignored nothing in all links so far. */
  problemsOfFile(file: RepoPath): readonly IgnoreProblem[];
}

/** Ignores the broken links of one tree by the configuration's rules and the comments of its files. */
export function createIgnores({ rules, commentsOf, today }: IgnoreOptions): Ignores {
  const used = new Set<IgnoreRule | IgnoredRange>();
  const isOver = (rule: IgnoreRule) => rule.until !== null && rule.until < today;
  const entries = rules.filter(({ severity }) => severity === undefined);
  const tests = entries.filter((rule) => !isOver(rule)).map((rule) => [rule, compileRule(rule)] as const);
  const severities = new Map(
    rules.flatMap(({ rule, severity }) => (severity && rule ? [[rule, severity]] : [])),
  );

  function reasonFor(link: Link): string | null {
    // Each that fits counts as used: of two that overlap, neither may look idle.
    const parts = (commentsOf(link.file)?.parts ?? []).filter((part) => isWithin(link, part));
    const fitting = tests.flatMap(([rule, fits]) => (fits(link) ? [rule] : []));
    for (const one of [...parts, ...fitting]) used.add(one);
    return (parts[0] ?? fitting[0])?.reason ?? null;
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
        if (isOver(rule)) {
          const message = `This entry ended on ${rule.until}, so its links count again. Mend them, or give it a new date.`;
          return [{ file, line, rule: 'expired-ignore', message }];
        }
        if (used.has(rule)) return [];
        return [
          { file, line, rule: 'unused-ignore', message: 'No broken link fits this entry. Take it away.' },
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
          message: `This docloom-ignore-${directive} ignores no broken link. Take it away.`,
        })),
      ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    },
  };
}

/** Why the link is told at all: the rule that it breaks, or that of its warning. */
function ruleOf(link: Link): string | null {
  return link.status === 'broken' ? link.rule : (link.warning?.rule ?? null);
}

function compileRule({ target, file, rule }: IgnoreRule): (link: Link) => boolean {
  const targetFits = target === null ? null : compileGlob(target);
  const fileFits = file === null ? null : compileGlob(file.replace(/^\.?\//, ''));
  const ruleFits = rule === null ? null : compileGlob(rule);
  return (link) =>
    (ruleFits?.(ruleOf(link) ?? '') ?? true) &&
    (targetFits?.(link.target) ?? true) &&
    (fileFits?.(link.file) ?? true);
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

/** A broken link whose rule only warns. */
function downgradedToWarning(link: Link): Link {
  const { rule, message } = link;
  if (link.status !== 'broken' || rule === null) return link;
  return { ...link, status: 'unchecked', rule: null, warning: { rule, message: message ?? '' } };
}

/** Loads what reads the comments of a page: it needs a parser, which a check without such comments does not. */
export async function loadCommentReader(): Promise<typeof readIgnoreComments> {
  return (await import('./read-ignore-comments.ts')).readIgnoreComments;
}
