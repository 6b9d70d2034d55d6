import type { Link, Oid, Rename, RepoPath, Rule } from '../model/index.ts';
import type { LostAddress } from '../move/index.ts';
import type { EntriesEdit } from '../text/index.ts';

/** A broken link in a report: where it is, its target, why it is broken, and a suggestion. */
export interface ReportedLink {
  /** Title of the space that contains the file. */
  readonly space: string;
  readonly file: RepoPath;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly target: string;
  readonly rule: Rule;
  readonly message: string;
  readonly suggestion: string | null;
  /** Whether the pull request changed the file that contains the link. */
  readonly touched: boolean;
  /** The file whose removal or renaming broke the link; null when it is not known. */
  readonly cause: { readonly kind: 'deleted' | 'renamed'; readonly path: RepoPath } | null;
}

/** An external link that the pull request adds, and whose last checks failed. It does not fail the check. */
export interface ExternalLinkWarning {
  /** Title of the space that contains the file. */
  readonly space: string;
  readonly file: RepoPath;
  readonly line: number;
  readonly target: string;
  /** What is known about the address, in one sentence. */
  readonly message: string;
}

/** An address that the pull request removes without a redirect. */
export interface ReportedLostAddress extends LostAddress {
  /** Title of the space that had it. */
  readonly space: string;
}

/** Redirects for lost addresses, as text to insert into a file of the head. */
export interface ProposedRedirects extends EntriesEdit {
  /** Title of the space that they belong to. */
  readonly space: string;
  /** The number of redirects. */
  readonly count: number;
}

/** How many links could not be checked, and why, in sentences for people. */
export interface UnjudgedReport {
  readonly count: number;
  readonly reason: string;
}

/** A file that the pull request removed or moved, with the files that still link to its old path. */
export interface MovedFile {
  readonly path: RepoPath;
  /** Null when it was removed. */
  readonly to: RepoPath | null;
  readonly linkedFrom: readonly RepoPath[];
}

/** A preview of a space with the changes of a pull request. */
export interface Preview {
  /** The space's title. */
  readonly space: string;
  /** Its address; null when it could not be created. */
  readonly url: string | null;
  /** A sentence that says why it could not be created; null otherwise. */
  readonly problem: string | null;
}

export interface ReportSpace {
  readonly title: string;
  readonly directory: string;
  readonly pages: number;
  readonly links: number;
  /** Absent in reports of versions that did not count links by space. */
  readonly counts?: ReportCounts;
}

export interface ReportCounts {
  readonly introduced: number;
  readonly existing: number;
  readonly fixed: number;
  /** Files with introduced broken links that the pull request did not change. */
  readonly untouchedFiles: number;
}

/** What is stored under a report's id, as plain JSON. */
export type LinkReport = CheckedLinkReport | UnfinishedReport;

/** The pull request of a report. */
interface ReportedPull {
  readonly version: 1;
  /** `owner/name` at the time of the check. */
  readonly repository: string;
  readonly pullNumber: number;
  readonly pullUrl: string;
  readonly headOid: Oid;
}

/** A report whose check is still running or could not be done; then `reason` is a sentence for people. */
export interface UnfinishedReport extends ReportedPull {
  readonly state: 'checking' | 'unchecked';
  readonly reason: string | null;
}

/** The pull request of a report whose check is done, of links or of API specifications. */
export interface CheckedPull extends ReportedPull {
  readonly state: 'checked';
  readonly baseOid: Oid;
  /** The URL prefix that shows a path of the head in the browser; ends with a slash. */
  readonly headBlobUrl: string;
  readonly baseBlobUrl: string;
}

/** What a pull request changes in the links of its repository; the check run and the report page both show it. */
export interface CheckedLinkReport extends CheckedPull {
  readonly spaces: readonly ReportSpace[];
  readonly counts: ReportCounts;
  readonly moved: readonly MovedFile[];
  /** Each list has at most `REPORT_LIMIT` entries; `counts` has the full numbers. */
  readonly introduced: readonly ReportedLink[];
  readonly existing: readonly ReportedLink[];
  /** As they were in the base. */
  readonly fixed: readonly ReportedLink[];
  /** At most `REPORT_LIMIT`; absent for none. */
  readonly outside?: readonly ExternalLinkWarning[];
  /** At most `REPORT_LIMIT`; absent for none. */
  readonly lost?: readonly ReportedLostAddress[];
  /** Redirects that can be added for lost addresses; absent for none. */
  readonly redirects?: readonly ProposedRedirects[];
  /** Links that the pull request adds or touches and that could not be checked; absent for none. */
  readonly unjudged?: UnjudgedReport;
  /** Absent until they are created, or when previews are turned off. */
  readonly previews?: readonly Preview[];
}

/** Whether a stored value is a link report of this version. */
export function isLinkReport(value: unknown): value is LinkReport {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    !('about' in value)
  );
}

/** The maximum number of links of each kind in a report, so that a bad pull request cannot fill the database. */
export const LINK_REPORT_LIMIT = 5_000;

/** The result of comparing one space, for `buildReport`. */
export interface ReportPart {
  readonly space: ReportSpace;
  readonly introduced: readonly Link[];
  readonly existing: readonly Link[];
  readonly fixed: readonly Link[];
  /** All links of the base, from which causes are found. */
  readonly baseLinks: readonly Link[];
}

export interface ReportFacts
  extends Omit<CheckedPull, 'version' | 'state'>,
    Pick<CheckedLinkReport, 'outside' | 'lost' | 'redirects' | 'unjudged'> {
  readonly parts: readonly ReportPart[];
  readonly renames: readonly Rename[];
  /** Paths of the base that the head no longer has, except renamed ones. */
  readonly deleted: ReadonlySet<RepoPath>;
  /** Whether the pull request changed this file of the head. */
  readonly touched: (file: RepoPath) => boolean;
}

/** Combines the comparisons of all spaces into one report. Links that overlapping spaces share are reported once. */
export function buildLinkReport(facts: ReportFacts): CheckedLinkReport {
  const newPaths = new Map(facts.renames.map((rename) => [rename.from, rename.to]));
  const introduced: ReportedLink[] = [];
  const existing: ReportedLink[] = [];
  const fixed: ReportedLink[] = [];
  for (const part of facts.parts) {
    const causes = causesOf(part, newPaths, facts.deleted);
    const find = (link: Link) => toReportedLink(link, part.space.title, facts, newPaths, causes);
    introduced.push(...part.introduced.map(find));
    existing.push(...part.existing.map(find));
    fixed.push(...part.fixed.map(find));
  }
  const lists = {
    introduced: sortAndDeduplicate(introduced),
    existing: sortAndDeduplicate(existing),
    fixed: sortAndDeduplicate(fixed),
  };
  const { parts, renames: _renames, deleted: _deleted, touched: _touched, ...heading } = facts;
  return {
    version: 1,
    state: 'checked',
    ...heading,
    spaces: parts.map(({ space }) => ({
      ...space,
      counts: countLinks(lists, (link) => link.space === space.title),
    })),
    counts: countLinks(lists, () => true),
    moved: movedFiles(lists.introduced, newPaths),
    introduced: lists.introduced.slice(0, LINK_REPORT_LIMIT),
    existing: lists.existing.slice(0, LINK_REPORT_LIMIT),
    fixed: lists.fixed.slice(0, LINK_REPORT_LIMIT),
  };
}

function countLinks(
  lists: Readonly<Record<'introduced' | 'existing' | 'fixed', readonly ReportedLink[]>>,
  counts: (link: ReportedLink) => boolean,
): ReportCounts {
  const introduced = lists.introduced.filter(counts);
  return {
    introduced: introduced.length,
    existing: lists.existing.filter(counts).length,
    fixed: lists.fixed.filter(counts).length,
    untouchedFiles: new Set(introduced.filter(({ touched }) => !touched).map(({ file }) => file)).size,
  };
}

/** Causes by `file, target` (with the paths of the head), for links of the base whose destination was removed or renamed. */
function causesOf(
  part: ReportPart,
  newPaths: ReadonlyMap<RepoPath, RepoPath>,
  deleted: ReadonlySet<RepoPath>,
): ReadonlyMap<string, NonNullable<ReportedLink['cause']>> {
  const causes = new Map<string, NonNullable<ReportedLink['cause']>>();
  for (const link of part.baseLinks) {
    const path = link.resolved?.path;
    if (path === undefined) continue;
    const cause = causeOf(path, newPaths, deleted);
    if (cause !== null) causes.set(linkKey(newPaths.get(link.file) ?? link.file, link.target), cause);
  }
  return causes;
}

function causeOf(
  path: RepoPath,
  newPaths: ReadonlyMap<RepoPath, RepoPath>,
  deleted: ReadonlySet<RepoPath>,
): ReportedLink['cause'] {
  if (deleted.has(path)) return { kind: 'deleted', path };
  return newPaths.has(path) ? { kind: 'renamed', path } : null;
}

function linkKey(file: RepoPath, target: string): string {
  return `${file}\0${target}`;
}

function toReportedLink(
  link: Link,
  space: string,
  facts: ReportFacts,
  newPaths: ReadonlyMap<RepoPath, RepoPath>,
  causes: ReadonlyMap<string, NonNullable<ReportedLink['cause']>>,
): ReportedLink {
  const { destination } = link;
  const cause = destination === null ? null : causeOf(destination, newPaths, facts.deleted);
  return {
    space,
    file: link.file,
    line: link.line,
    column: link.column,
    endLine: link.endLine,
    endColumn: link.endColumn,
    target: link.target,
    rule: link.rule ?? 'missing-file',
    message: link.message ?? 'This link leads nowhere.',
    suggestion: link.suggestion,
    touched: facts.touched(link.file),
    cause: cause ?? causes.get(linkKey(link.file, link.target)) ?? null,
  };
}

/** Sorts by file and position, and removes duplicates. */
function sortAndDeduplicate(findings: readonly ReportedLink[]): ReportedLink[] {
  const unique = new Map(
    findings.map(
      (finding) =>
        [`${finding.file}\0${finding.line}\0${finding.column}\0${finding.target}`, finding] as const,
    ),
  );
  return [...unique.values()].sort(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
}

function movedFiles(
  introduced: readonly ReportedLink[],
  newPaths: ReadonlyMap<RepoPath, RepoPath>,
): readonly MovedFile[] {
  const linkedFrom = new Map<RepoPath, Set<RepoPath>>();
  for (const { cause, file } of introduced) {
    if (cause === null) continue;
    const files = linkedFrom.get(cause.path) ?? new Set();
    linkedFrom.set(cause.path, files.add(file));
  }
  return [...linkedFrom]
    .map(([path, files]) => ({ path, to: newPaths.get(path) ?? null, linkedFrom: [...files] }))
    .sort((a, b) => compareText(a.path, b.path));
}

/** Compares by code unit, so that the order does not depend on the locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
