import type { IgnoreProblem } from '../../content/ignore/index.ts';
import { buildLinkReport, type CheckedLinkReport, LINK_REPORT_LIMIT } from '../../content/report/index.ts';
import type { JobContext } from '../../queue/index.ts';
import { type Binding, listBindings, saveReport } from '../../store/index.ts';
import {
  type CheckOutcome,
  describeProblems,
  isForeign,
  markdown,
  mintRemote,
  type Octokit,
  type PullRequest,
  repositoryCacheId,
} from '../api/index.ts';

import { CONFIG_PATH, NO_CONFIG, type ValidConfig } from '../repository/index.ts';
import { describeAddedAddresses } from './added-addresses.ts';
import { analyseChange, type BrokenConfig, type ChangeAnalysis } from './analyse-change.ts';
import { annotate, annotateIgnores } from './annotate.ts';
import { conclude } from './conclude.ts';
import type { PullRequestDeps } from './deps.ts';
import { fetchHead } from './fetch-head.ts';
import type { RunOutcome } from './head-runs.ts';
import { actionOf, offerFixes } from './offer-fixes.ts';
import { planPreviews } from './plan-previews.ts';
import { addRuns, type PlannedRun } from './plan-runs.ts';
import { reportOfSpace } from './report-of-space.ts';
import { writeSummary, writeTitle } from './summary.ts';

const { prependSentence, writeSentence } = markdown;

/** The result of checking a pull request's links. */
export interface LinkVerdicts {
  readonly outcomes: readonly RunOutcome[];
  /** The bindings to build previews for. */
  readonly previewed: readonly Binding[];
}

export interface LinkCheck {
  readonly octokit: Octokit;
  readonly installationId: number;
  readonly reportId: string;
  readonly reportUrl: string;
  /** The configuration of the default branch; null when there never was one. */
  readonly inForce: ValidConfig | null;
  /** The check runs that the head gets whatever it contains. */
  readonly planned: readonly PlannedRun[];
  readonly run: JobContext;
}

/** Compares the links of both trees, saves the report, and returns the outcome of each check run. */
export async function checkLinks(
  deps: PullRequestDeps,
  pull: PullRequest,
  check: LinkCheck,
): Promise<LinkVerdicts> {
  const { octokit, installationId, inForce, planned, run } = check;
  const { repository } = pull;
  const remote = await mintRemote(await deps.access.app(run), installationId, repository);
  const cached = await fetchHead(deps.git, pull, remote, run.signal);
  await cached.fetchCommit(remote, pull.baseOid, { signal: run.signal });
  const change = await analyseChange(deps.engine.within(repositoryCacheId(repository)), {
    repository: cached,
    remote,
    name: repository.name,
    address: {
      fullName: repository.fullName,
      branch: pull.baseBranch,
      htmlHost: new URL(repository.htmlUrl).host,
    },
    headOid: pull.headOid,
    baseOid: pull.baseOid,
    isForeign: isForeign(pull),
    today: new Date().toISOString().slice(0, 10),
    inForce,
    signal: run.signal,
  });
  if ('problems' in change) return { outcomes: describeMistake(change, planned), previewed: [] };
  if (change.changedPaths.has(CONFIG_PATH)) {
    const seen = { repositoryId: repository.id, installationId, number: pull.number };
    await deps.onPullRequestSeen?.({ ...seen, changesConfig: true });
  }
  const previewed = planPreviews(
    pull,
    (inForce ?? NO_CONFIG).config.checks.previews,
    await listBindings(deps.db, repository.id),
    change.changedPaths,
  );
  const outside = await describeAddedAddresses(deps.db, change.added);
  const { parts, renames, deleted, touched, redirects, unjudged } = change;
  const lost = change.lost.slice(0, LINK_REPORT_LIMIT);
  const report = buildLinkReport({
    repository: repository.fullName,
    pullNumber: pull.number,
    pullUrl: pull.url,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
    headBlobUrl: `${repository.htmlUrl}/blob/${pull.headOid}/`,
    baseBlobUrl: `${repository.htmlUrl}/blob/${pull.baseOid}/`,
    ...(outside.length === 0 ? {} : { outside }),
    ...(lost.length === 0 ? {} : { lost }),
    ...(redirects.length === 0 ? {} : { redirects }),
    ...(unjudged === null ? {} : { unjudged }),
    parts,
    renames,
    deleted,
    touched,
  });
  await saveReport(deps.db, check.reportId, report);
  const outcomes = addRuns(planned, report.spaces).map(async (planned, at, all) => ({
    ...planned,
    outcome: await describeRun(octokit, pull, {
      report,
      run: planned,
      change,
      ignoreProblems: problemsOfRun(change.ignoreProblems, all, at),
      reportUrl: check.reportUrl,
    }),
  }));
  return { outcomes: await Promise.all(outcomes), previewed };
}

interface RunFacts {
  readonly report: CheckedLinkReport;
  readonly run: PlannedRun;
  readonly change: ChangeAnalysis;
  readonly ignoreProblems: readonly IgnoreProblem[];
  readonly reportUrl: string;
}

async function describeRun(
  octokit: Octokit,
  pull: PullRequest,
  { report, run, change, ignoreProblems, reportUrl }: RunFacts,
): Promise<CheckOutcome> {
  const own = reportOfSpace(report, run.directory);
  if (own === null) return describeAbsence(ignoreProblems);
  const offer = await offerFixes(octokit, pull, own);
  const { conclusion, explanation } = conclude(own, change);
  const { usesBaseChecks, misnamedConfig } = change;
  const sentences = [
    explanation,
    usesBaseChecks ? BASE_CHECKS : null,
    misnamedConfig === null ? null : `${misnamedConfig} is not read: rename it to ${CONFIG_PATH}.`,
  ].filter((sentence) => sentence !== null);
  return {
    conclusion,
    title: writeTitle(own),
    summary: sentences.reduceRight(
      (text, sentence) => prependSentence(sentence, text),
      writeSummary(own, reportUrl, offer),
    ),
    annotations: [...annotate(own.introduced), ...annotateIgnores(ignoreProblems)],
    actions: offer === null ? [] : [actionOf(offer)],
  };
}

const BASE_CHECKS = `What this pull request changes in \`checks\` of ${CONFIG_PATH} comes from a fork, so it applies once it is merged.`;

/** The outcome for a space that the pull request's branch does not have: a branch rule may still require its check. */
function describeAbsence(ignoreProblems: readonly IgnoreProblem[]): CheckOutcome {
  return {
    conclusion: 'success',
    title: 'The space is not on this branch',
    summary: writeSentence(
      'This pull request’s branch does not have this space, so there are no links to check.',
    ),
    annotations: annotateIgnores(ignoreProblems),
  };
}

/** Reports each problem once: in the run of the deepest space that contains its file, or else in the first. */
function problemsOfRun(
  problems: readonly IgnoreProblem[],
  runs: readonly PlannedRun[],
  at: number,
): readonly IgnoreProblem[] {
  return problems.filter(({ file }) => {
    const containing = runs.filter(({ directory }) => directory && file.startsWith(`${directory}/`));
    const deepest = containing.toSorted((a, b) => (b.directory ?? '').length - (a.directory ?? '').length)[0];
    return (deepest ?? runs[0]) === runs[at];
  });
}

/**
 * A mistake in the configuration fails only the pull request that made it; other pull requests get `neutral`. Each of
 * several check runs reports it, since any may be required, and the first has the annotations.
 */
function describeMistake(
  { problems, touched }: BrokenConfig,
  planned: readonly PlannedRun[],
): readonly RunOutcome[] {
  const { title, summary, annotations } = describeProblems({
    path: CONFIG_PATH,
    annotationTitle: 'Configuration',
    problems,
    untilFixed: touched
      ? 'The links were not checked. Fix each line named below; every push is checked again.'
      : 'The links were not checked.',
  });
  return planned.map((run, at) => ({
    ...run,
    outcome: {
      conclusion: touched ? 'failure' : 'neutral',
      title,
      summary,
      annotations: touched && at === 0 ? annotations : [],
    },
  }));
}
