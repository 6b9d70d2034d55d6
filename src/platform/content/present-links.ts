import type { LinkResource, LinkStats, ReferenceResource } from '../../contract/index.ts';
import type { LinkCounts, LinkRow, RevisionCounts } from '../../store/index.ts';
import { isComputed } from './computed-links.ts';
import type { Content } from './locate-content.ts';
import { referenceInto } from './reference-into.ts';

/**
 * The verdicts that a status of the API stands for. The API has no status `unchecked`: nothing shows that such a link is
 * broken, so its status is `ok`, and only `check.verdict` differs.
 */
export const verdictsOf: Readonly<Record<LinkResource['status'], readonly string[]>> = {
  ok: ['ok', 'unchecked'],
  broken: ['broken'],
  'in-app': ['in-app'],
};

type Verdict = LinkResource['check']['verdict'];

/** The API's status of a link. */
export function statusOf({ status }: Pick<LinkRow, 'status'>): LinkResource['status'] {
  const verdict = status as Verdict;
  return verdict === 'unchecked' ? 'ok' : verdict;
}

/** A link with its references, embedded or by ids. */
export function presentLink<Reference>(
  row: LinkRow,
  references: { target(row: LinkRow): Reference; location(row: LinkRow): Reference },
): Omit<LinkResource, 'targetReference' | 'locationReferences'> & {
  readonly targetReference: Reference;
  readonly locationReferences: Reference[];
} {
  const { rule, message } = isMissingSpec(row) ? explainMissing(row) : row;
  return {
    status: statusOf(row),
    relation: row.relation as LinkResource['relation'],
    targetReference: references.target(row),
    locationReferences: [references.location(row)],
    check: {
      verdict: row.status as Verdict,
      ...(rule === null ? {} : { rule }),
      ...(message === null ? {} : { message }),
      ...(row.suggestion === null ? {} : { suggestion: row.suggestion }),
    },
  };
}

/** Whether a link names a specification, or an operation, that does not exist at the moment. */
function isMissingSpec({ targetKind, status }: LinkRow): boolean {
  return targetKind === 'openapi' && status === 'broken';
}

function explainMissing({ target, targetAnchor }: LinkRow): Pick<LinkRow, 'rule' | 'message'> {
  if (targetAnchor === null) {
    return {
      rule: 'missing-specification',
      message: `The organization has no API specification “${target}”.`,
    };
  }
  const message = `The organization has no API specification “${target}” with the operation ${targetAnchor}.`;
  return { rule: 'missing-operation', message };
}

/** The target of a link; of a broken link, as it was written. */
export function presentTarget(row: LinkRow, content: Content): ReferenceResource {
  if (row.status === 'broken') return { kind: 'url', url: row.target };
  if (row.targetKind === 'openapi') {
    return { kind: 'openapi', organization: content.space.organizationId, spec: row.target };
  }
  const anchor =
    row.targetAnchor === null
      ? {}
      : { internalLocation: { type: 'anchor' as const, anchor: row.targetAnchor } };
  if (row.targetPageId !== null) {
    return { kind: 'page', ...referenceInto(content), page: row.targetPageId, ...anchor };
  }
  if (row.targetFileId !== null) {
    return { kind: 'file', ...referenceInto(content), file: row.targetFileId, ...anchor };
  }
  return { kind: 'url', url: row.targetUrl ?? row.target };
}

/**
 * The location of a link: its page, or its file if that is not a page of the navigation, and the span in it. What a page
 * is computed from has no span.
 */
export function presentLocation(row: LinkRow, content: Content): ReferenceResource {
  return {
    ...(row.pageId === null ? { kind: 'file' as const } : { kind: 'page' as const, page: row.pageId }),
    ...referenceInto(content),
    ...(isComputed(row) ? {} : { position: positionOf(row) }),
  };
}

function positionOf({ gitPath, line, column, endLine, endColumn }: LinkRow) {
  return { path: gitPath, line, column, endLine, endColumn };
}

/** The counts of a page, including what it is computed from. */
export function withComputed(counts: LinkCounts, computed: readonly LinkRow[]): LinkCounts {
  const broken = computed.filter(isMissingSpec).length;
  return {
    ...counts,
    total: counts.total + computed.length,
    broken: counts.broken + broken,
    inApp: counts.inApp + computed.length - broken,
  };
}

/**
 * Corrects the counts of a revision, in which all links to specifications count as in the app, by those whose
 * specification is missing at the moment: `inFiles` of them are in its files, the others are computed links.
 */
export function countMissing(counts: LinkCounts, computed: readonly LinkRow[], inFiles: number): LinkCounts {
  const missing = inFiles + computed.filter(isMissingSpec).length;
  return { ...counts, broken: counts.broken + missing, inApp: counts.inApp - missing };
}

/** `introduced` is how many of the broken links a change request broke. */
export function presentStats(counts: LinkCounts, introduced: number): LinkStats {
  return {
    total: counts.total,
    broken: { total: counts.broken, changeRequest: introduced },
    inApp: counts.inApp,
    unchecked: counts.unchecked,
  };
}

/** The counts of a whole revision, as stored with it. */
export function countsOfRevision(counts: RevisionCounts): LinkCounts {
  return {
    total: counts.links,
    broken: counts.broken,
    inApp: counts.inApp,
    unchecked: counts.unchecked,
  };
}

/** How many links have a status of the API. */
export function countOf(counts: LinkCounts, status: LinkResource['status'] | undefined): number {
  if (status === undefined) return counts.total;
  if (status === 'broken') return counts.broken;
  return status === 'in-app' ? counts.inApp : counts.total - counts.broken - counts.inApp;
}
