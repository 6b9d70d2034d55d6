import type { Link, Oid, Rename, RepoPath, Rule } from '../model/index.ts';
import type { LostAddress } from '../move/index.ts';
import type { EntriesEdit } from '../text/index.ts';

/** One broken link as a report tells it: where it stands, what it says, why it is broken, what would be right. */
export interface ReportedLink {
  /** Title of the space that holds the file. */
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
  /** Whether the pull request changed the file that holds the link. */
  readonly touched: boolean;
  /** The file whose removal or new name broke the link, when that is known. */
  readonly cause: { readonly kind: 'deleted' | 'renamed'; readonly path: RepoPath } | null;
}

/** A link to an address outside that the pull request adds, and that did not answer well of late. It fails nothing. */
export interface ExternalLinkWarning {
  /** Title of the space that holds the file. */
  readonly space: string;
  readonly file: RepoPath;
  readonly line: number;
  readonly target: string;
  /** What is known of the address, in a sentence. */
  readonly message: string;
}

/** An address that the pull request takes from readers without a redirect. */
export interface ReportedLostAddress extends LostAddress {
  /** Title of the space that had it. */
  readonly space: string;
}

/** Redirects for lost addresses, as text that goes into a file of the head. */
export interface ProposedRedirects extends EntriesEdit {
  /** Title of the space that they are of. */
  readonly space: string;
  /** How many they are. */
  readonly count: number;
}

/** A file that the pull request removed or moved, with the files that still link to its old place. */
export interface MovedFile {
  readonly path: RepoPath;
  /** Null for a removed one. */
  readonly to: RepoPath | null;
  readonly linkedFrom: readonly RepoPath[];
}

/** A space as a pull request would make it, not live. */
export interface Preview {
  /** The space's title. */
  readonly space: string;
  /** Where it is read; null where it could not be made. */
  readonly url: string | null;
  /** Why there is none: a sentence for people; null where there is one. */
  readonly problem: string | null;
}

export interface ReportSpace {
  readonly title: string;
  readonly directory: string;
  readonly pages: number;
  readonly links: number;
  /** Of its links; absent in reports of before it was counted. */
  readonly counts?: ReportCounts;
}

export interface ReportCounts {
  readonly introduced: number;
  readonly existing: number;
  readonly fixed: number;
  /** Files with introduced broken links that the pull request did not change. */
  readonly untouchedFiles: number;
}

/** What is kept under a report's id, as plain JSON. */
export type LinkReport = Report | UnfinishedReport;

/** A report whose check is still at work, or could not do it: then `reason` is a sentence for people. */
export interface UnfinishedReport {
  readonly version: 1;
  readonly state: 'checking' | 'unchecked';
  readonly repository: string;
  readonly pullNumber: number;
  readonly pullUrl: string;
  readonly headOid: Oid;
  readonly reason: string | null;
}

/** What one pull request does to the links of its repository: the check run and the report page tell the same. */
export interface Report {
  readonly version: 1;
  readonly state: 'checked';
  /** `owner/name` as it was called then. */
  readonly repository: string;
  readonly pullNumber: number;
  readonly pullUrl: string;
  readonly headOid: Oid;
  readonly baseOid: Oid;
  /** What a path in the head is appended to, to show it in the browser; ends with a slash. */
  readonly headBlobUrl: string;
  readonly baseBlobUrl: string;
  readonly spaces: readonly ReportSpace[];
  readonly counts: ReportCounts;
  readonly moved: readonly MovedFile[];
  /** At most `REPORT_LIMIT` of each list are kept; `counts` says how many there are. */
  readonly introduced: readonly ReportedLink[];
  readonly existing: readonly ReportedLink[];
  /** As they stood in the base. */
  readonly fixed: readonly ReportedLink[];
  /** At most `REPORT_LIMIT`; absent for none. */
  readonly outside?: readonly ExternalLinkWarning[];
  /** At most `REPORT_LIMIT`; absent for none. */
  readonly lost?: readonly ReportedLostAddress[];
  /** What can be written for them; absent for none. */
  readonly redirects?: readonly ProposedRedirects[];
  /** Absent until they were made, or where none is wished for. */
  readonly previews?: readonly Preview[];
}

/** Whether a stored value is a report of this version; reports are only ever written as `LinkReport`. */
export function isLinkReport(value: unknown): value is LinkReport {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    !('about' in value)
  );
}

/** The most findings that a report keeps of each kind, so that one bad pull request cannot fill the database. */
export const REPORT_LIMIT = 5_000;

/** What the comparison of one space found, as `buildReport` needs it. */
export interface ReportPart {
  readonly space: ReportSpace;
  readonly introduced: readonly Link[];
  readonly existing: readonly Link[];
  readonly fixed: readonly Link[];
  /** Every link of the base, for the causes. */
  readonly baseLinks: readonly Link[];
}

export interface ReportFacts
  extends Pick<
    Report,
    | 'repository'
    | 'pullNumber'
    | 'pullUrl'
    | 'headOid'
    | 'baseOid'
    | 'headBlobUrl'
    | 'baseBlobUrl'
    | 'outside'
    | 'lost'
    | 'redirects'
  > {
  readonly parts: readonly ReportPart[];
  readonly renames: readonly Rename[];
  /** Paths of the base that the head has no more, without renamed ones. */
  readonly deleted: ReadonlySet<RepoPath>;
  /** Whether the pull request changed this file of the head. */
  readonly touched: (file: RepoPath) => boolean;
}

/** Joins the comparisons of all spaces into one report. Links that two overlapping spaces share are told once. */
export function buildReport(facts: ReportFacts): Report {
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
      counts: countLinks(lists, (one) => one.space === space.title),
    })),
    counts: countLinks(lists, () => true),
    moved: movedFiles(lists.introduced, newPaths),
    introduced: lists.introduced.slice(0, REPORT_LIMIT),
    existing: lists.existing.slice(0, REPORT_LIMIT),
    fixed: lists.fixed.slice(0, REPORT_LIMIT),
  };
}

function countLinks(
  lists: Readonly<Record<'introduced' | 'existing' | 'fixed', readonly ReportedLink[]>>,
  counts: (one: ReportedLink) => boolean,
): ReportCounts {
  const introduced = lists.introduced.filter(counts);
  return {
    introduced: introduced.length,
    existing: lists.existing.filter(counts).length,
    fixed: lists.fixed.filter(counts).length,
    untouchedFiles: new Set(introduced.filter((one) => !one.touched).map((one) => one.file)).size,
  };
}

/** Where the links of the base led, for those whose destination is gone: `file, target` in the head's names → cause. */
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
  const gone = destination === null ? null : causeOf(destination, newPaths, facts.deleted);
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
    cause: gone ?? causes.get(linkKey(link.file, link.target)) ?? null,
  };
}

/** By file and place, each place once. */
function sortAndDeduplicate(findings: readonly ReportedLink[]): ReportedLink[] {
  const places = new Map(
    findings.map(
      (finding) =>
        [`${finding.file}\0${finding.line}\0${finding.column}\0${finding.target}`, finding] as const,
    ),
  );
  return [...places.values()].sort(
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

/** By code unit: the same order on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
