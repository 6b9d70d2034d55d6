import type { ExternalLink } from '../../store/index.ts';

/** What came of one look at an address. */
export type ProbeFinding =
  | {
      readonly kind: 'good';
      readonly status: number;
      /** Where it moved to for good; null when it did not. */
      readonly movedTo: string | null;
      /** Whether the page has the fragments that were asked for; empty where that cannot be told. */
      readonly fragments: Readonly<Record<string, boolean>>;
    }
  /** It does not answer programs, which says nothing about people. */
  | { readonly kind: 'restricted'; readonly status: number }
  | { readonly kind: 'bad'; readonly status: number | null; readonly reason: string };

const DAY_MS = 24 * 60 * 60 * 1000;

/** So many bad answers one after the other, over so long a time, make an address dead. */
export const DEAD_AFTER = { failures: 3, ms: 3 * DAY_MS } as const;

/** A look whose process ended before it could say so is made again at once: both are one failure. */
const ANOTHER_AFTER_MS = 10 * 60 * 1000;

/**
 * What is known of an address after one more look. A single bad answer never counts as more than `failing`: servers
 * have bad days. One good answer makes all of that forgotten.
 */
export function updateLinkState(before: ExternalLink, finding: ProbeFinding, now: Date): ExternalLink {
  const after = judge(before, finding, now);
  return { ...after, checkedAt: now, since: after.state === before.state ? before.since : now };
}

function judge(before: ExternalLink, finding: ProbeFinding, now: Date): ExternalLink {
  const clear = { failures: 0, failedSince: null, target: null, fragments: {} };
  if (finding.kind === 'good') {
    const { status, movedTo: target, fragments } = finding;
    const state = target === null ? 'ok' : 'redirected';
    const detail = target === null ? null : `It moved for good to ${target}.`;
    return { ...before, ...clear, state, status, detail, target, fragments };
  }
  if (finding.kind === 'restricted') {
    const { status } = finding;
    const detail =
      status === 0
        ? 'It leads into a private network, where nobody looks from here.'
        : `It answers programs with ${status}, so only a person can tell.`;
    return { ...before, ...clear, state: 'restricted', status, detail };
  }
  const isAnother =
    before.checkedAt === null || now.getTime() - before.checkedAt.getTime() >= ANOTHER_AFTER_MS;
  const failures = before.failures === 0 || isAnother ? before.failures + 1 : before.failures;
  const failedSince = before.failedSince ?? now;
  const isDead = failures >= DEAD_AFTER.failures && now.getTime() - failedSince.getTime() >= DEAD_AFTER.ms;
  return {
    ...before,
    ...clear,
    state: isDead ? 'dead' : 'failing',
    status: finding.status,
    detail: finding.reason,
    failures,
    failedSince,
  };
}
