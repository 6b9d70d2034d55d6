import { type ApiReport, isApiReport, isLinkReport, type LinkReport } from '../../content/report/index.ts';
import type { ReportKind, StoredReport } from '../../store/index.ts';
import { type CheckOutcome, type CheckRunTarget, markdown, type RepositoryName } from '../api/index.ts';

const { writeSentence } = markdown;

/** What a report of a kind is about, in a sentence. */
export const SUBJECTS: Readonly<Record<ReportKind, string>> = { links: 'links', api: 'API specifications' };

/** How the check runs of a report are known: by it, what it is measured against, and who asked for them again. */
function externalIdOf({ id, baseOid, rerunBy }: StoredReport): string {
  const own = `${externalPrefixOf({ id })}${baseOid}`;
  return rerunBy === null ? own : `${own}:${rerunBy}`;
}

/** With what the external ids of all check runs of a report begin, whatever it was measured against. */
export function externalPrefixOf({ id }: Pick<StoredReport, 'id'>): string {
  return `${id}:`;
}

/** Where the check runs of a report stand, and what they lead to. */
export function checkRunTarget(
  report: StoredReport,
  { owner, name }: RepositoryName,
  publicUrl: string,
): Omit<CheckRunTarget, 'check'> {
  const detailsUrl = `${publicUrl}/reports/${report.id}`;
  return { owner, name, headOid: report.headOid, externalId: externalIdOf(report), detailsUrl };
}

/** What a report's page says while it is at work (`reason` null), or why there is no verdict. */
export function unfinishedReport(
  { kind, repository, pullNumber, headOid }: StoredReport,
  { pullUrl, reason }: { readonly pullUrl: string; readonly reason: string | null },
): LinkReport | ApiReport {
  const state = reason === null ? 'checking' : 'unchecked';
  const unfinished = { version: 1, state, repository, pullNumber, pullUrl, headOid, reason } as const;
  return kind === 'api' ? { ...unfinished, about: 'api' } : unfinished;
}

/** Why a report has no verdict; null for one that has, or that is at work. */
export function uncheckedReason({ report }: StoredReport): string | null {
  if (!isLinkReport(report) && !isApiReport(report)) return null;
  return report.state === 'unchecked' ? report.reason : null;
}

/** Whether it holds what was found, and not only why nothing was. */
export function isChecked({ report }: StoredReport): boolean {
  return (isLinkReport(report) || isApiReport(report)) && report.state === 'checked';
}

/** What a check run says whose work could not be done. `isFinal`: it is not tried again by itself. */
export function describeFailedCheck(
  kind: ReportKind,
  { reason, isFinal }: { readonly reason: string; readonly isFinal: boolean },
): CheckOutcome {
  const next = isFinal ? 'Push again to have them checked.' : 'It is tried again by itself.';
  return describeWithoutVerdict(`The ${SUBJECTS[kind]} could not be checked`, `${reason} ${next}`);
}

/** What a check run says that no work will complete any more. */
export function describeUnchecked(kind: ReportKind, reason: string): CheckOutcome {
  return describeWithoutVerdict(`The ${SUBJECTS[kind]} were not checked`, reason);
}

/** A check run's end without a verdict. */
export function describeWithoutVerdict(title: string, sentence: string): CheckOutcome {
  return { conclusion: 'neutral', title, summary: writeSentence(sentence), annotations: [] };
}
