import type { ExternalLink } from '../../store/index.ts';

/** The result of probing an address. */
export type ProbeFinding =
  | {
      readonly kind: 'good';
      readonly status: number;
      /** Where it moved permanently; null when it did not. */
      readonly movedTo: string | null;
      /** Whether the page has the requested fragments; empty when that cannot be determined. */
      readonly fragments: Readonly<Record<string, boolean>>;
    }
  /** It refuses programs, which says nothing about browsers. */
  | { readonly kind: 'restricted'; readonly status: number }
  | { readonly kind: 'bad'; readonly status: number | null; readonly reason: string };

const DAY_MS = 24 * 60 * 60 * 1000;

/** An address is dead after this many consecutive failures over this much time. */
export const DEAD_AFTER = { failures: 3, ms: 3 * DAY_MS } as const;

/** A probe whose process was killed before saving is repeated at once: both count as one failure. */
const SEPARATE_AFTER_MS = 10 * 60 * 1000;

/**
 * The state of an address after another probe. A single failure is never more than `failing`, since outages pass. A success
 * resets the count.
 */
export function updateLinkState(before: ExternalLink, finding: ProbeFinding, now: Date): ExternalLink {
  const after = resolveState(before, finding, now);
  return { ...after, checkedAt: now, since: after.state === before.state ? before.since : now };
}

function resolveState(before: ExternalLink, finding: ProbeFinding, now: Date): ExternalLink {
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
  const isSeparate =
    before.checkedAt === null || now.getTime() - before.checkedAt.getTime() >= SEPARATE_AFTER_MS;
  const failures = before.failures === 0 || isSeparate ? before.failures + 1 : before.failures;
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
