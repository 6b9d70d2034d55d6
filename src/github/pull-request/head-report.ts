import { type ApiReport, isApiReport, isLinkReport, type LinkReport } from '../../content/report/index.ts';
import type { ReportKind, StoredReport } from '../../store/index.ts';
import { type CheckOutcome, type CheckRunTarget, markdown, type RepositoryName } from '../api/index.ts';

const { writeSentence } = markdown;

/** The subject of each kind of report, as part of a sentence. */
export const SUBJECTS: Readonly<Record<ReportKind, string>> = { links: 'links', api: 'API specifications' };

/** Identifies the check runs of a report: by the report, its base, and the delivery that requested them again. */
function externalIdOf({ id, baseOid, rerunBy }: StoredReport): string {
  const externalId = `${externalPrefixOf({ id })}${baseOid}`;
  return rerunBy === null ? externalId : `${externalId}:${rerunBy}`;
}

/** The prefix of the external ids of all check runs of a report, whatever its base was. */
export function externalPrefixOf({ id }: Pick<StoredReport, 'id'>): string {
  return `${id}:`;
}

/** The commit of a report's check runs, and the address they link to. */
export function checkRunTarget(
  report: StoredReport,
  { owner, name }: RepositoryName,
  publicUrl: string,
): Omit<CheckRunTarget, 'check'> {
  const detailsUrl = `${publicUrl}/reports/${report.id}`;
  return { owner, name, headOid: report.headOid, externalId: externalIdOf(report), detailsUrl };
}

/** The report of a check that is running (`reason` null), or that has no verdict for a reason. */
export function unfinishedReport(
  { kind, repository, pullNumber, headOid }: StoredReport,
  { pullUrl, reason }: { readonly pullUrl: string; readonly reason: string | null },
): LinkReport | ApiReport {
  const state = reason === null ? 'checking' : 'unchecked';
  const unfinished = { version: 1, state, repository, pullNumber, pullUrl, headOid, reason } as const;
  return kind === 'api' ? { ...unfinished, about: 'api' } : unfinished;
}

/** Why a report has no verdict; null when it has one, or its check is running. */
export function uncheckedReason({ report }: StoredReport): string | null {
  if (!isLinkReport(report) && !isApiReport(report)) return null;
  return report.state === 'unchecked' ? report.reason : null;
}

/** Whether it has findings, and not only a reason why there are none. */
export function isChecked({ report }: StoredReport): boolean {
  return (isLinkReport(report) || isApiReport(report)) && report.state === 'checked';
}

/** The outcome of a check that failed. `isFinal`: it is not retried automatically. */
export function describeFailedCheck(
  kind: ReportKind,
  { reason, isFinal }: { readonly reason: string; readonly isFinal: boolean },
): CheckOutcome {
  const next = isFinal ? 'Push again to have them checked.' : 'It is retried automatically.';
  return describeWithoutVerdict(`The ${SUBJECTS[kind]} could not be checked`, `${reason} ${next}`);
}

/** The outcome of a check that no job will complete any more. */
export function describeUnchecked(kind: ReportKind, reason: string): CheckOutcome {
  return describeWithoutVerdict(`The ${SUBJECTS[kind]} were not checked`, reason);
}

/** The outcome of a check run without a verdict. */
export function describeWithoutVerdict(title: string, sentence: string): CheckOutcome {
  return { conclusion: 'neutral', title, summary: writeSentence(sentence), annotations: [] };
}
