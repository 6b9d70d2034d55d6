import { type CheckedLinkReport, isLinkReport } from '../../content/report/index.ts';
import { GitError, type GitRemote, type GitRepository, hashOf, objectOid } from '../../git/index.ts';
import type { JobContext } from '../../queue/index.ts';
import { findReportOfRun, type RunVerdict } from '../../store/index.ts';
import {
  accountIdentity,
  botIdentity,
  hasStatusCode,
  markdown,
  mintRemote,
  type Octokit,
  type PullHint,
  type PullRequest,
  readGrantedPermissions,
  readPullRequest,
} from '../api/index.ts';

import { readBlobsOf, readRepositoryConfig } from '../repository/index.ts';
import type { FixRequest } from '../webhooks/index.ts';
import type { PullRequestDeps } from './deps.ts';
import { fetchHead } from './fetch-head.ts';
import { type FixedFile, fixFiles } from './fix-files.ts';
import { checkPullRequest } from './handle-pull-request.ts';
import { updateRunText } from './head-runs.ts';
import { chooseFixKind, offerFixes, WRITING } from './offer-fixes.ts';
import { reportOfSpace } from './report-of-space.ts';
import { suggestFixes } from './suggest-fixes.ts';
import { writeSummary, writeTitle } from './summary.ts';

const { prependSentence } = markdown;

/**
 * Applies the certain suggestions of a report, links and redirects: in one commit on the pull request's branch, or, where
 * the App may not write there, as a review that suggests the links. When the head has moved since, it is only checked
 * again: the new check has its own button.
 */
export async function fixPullRequest(
  deps: PullRequestDeps,
  hint: PullHint,
  request: FixRequest,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const pull = await readPullRequest(octokit, hint);
  const report = await loadCheckedReport(deps, hint, request);
  if (pull?.headOid !== request.headOid || pull.head === null || report === null)
    return await checkPullRequest(deps, hint, octokit, run);
  const remote = await mintRemote(await deps.access.app(run), hint.installationId, pull.repository);
  const cached = await fetchHead(deps.git, pull, remote, run.signal);
  const tree = await cached.readTree(pull.headOid);
  const fix = (suggested: Parameters<typeof fixFiles>[0]) =>
    fixFiles(suggested, tree, readBlobsOf({ repository: cached, remote, signal: run.signal }));
  const files = await fix(report.report);
  const explain = (sentence: string) => postExplanation(deps, octokit, pull, report, sentence);
  if (files.length === 0)
    return await explain('Nothing could be fixed with certainty; fix the links by hand.');
  const kind = chooseFixKind(await readGrantedPermissions(octokit, WRITING), pull);
  const refusal =
    kind === 'commit' ? await commitFixes(deps, { octokit, hint, request, pull, files, cached }, run) : null;
  if (refusal === 'moved') return await checkPullRequest(deps, hint, octokit, run);
  if (kind === 'commit' && refusal === null) return;
  const why =
    refusal === null ? 'Docloom may not write to this branch' : `The branch refused the commit (${refusal})`;
  if ((await readGrantedPermissions(octokit, { pull_requests: 'write' }))['pull_requests'] !== 'write')
    return await explain(`${why}. The suggestions are listed below.`);
  // A suggestion replaces an existing line; redirects are new lines.
  const { introduced } = report.report;
  const { lines, left } = await suggestFixes(octokit, pull, await fix({ introduced }));
  const rest =
    left === 0
      ? ''
      : ` ${left} more are only listed below, because the diff does not show their lines or they are too many.`;
  await explain(
    lines === 0
      ? `${why}, and the diff shows none of the lines: the suggestions are listed below.`
      : `${why}, so a review suggests ${lines === 1 ? 'the corrected line' : `${lines} corrected lines`}.${rest}`,
  );
}

interface StoredCheck {
  readonly id: string;
  readonly run: { readonly id: number; readonly verdict: RunVerdict };
  /** The part of the report that this run is about. */
  readonly report: CheckedLinkReport;
}

async function loadCheckedReport(
  { db }: PullRequestDeps,
  { repositoryId, number }: PullHint,
  { headOid, checkRunId }: FixRequest,
): Promise<StoredCheck | null> {
  const found = checkRunId === undefined ? null : await findReportOfRun(db, repositoryId, checkRunId);
  if (found?.report.pullNumber !== number || found.report.headOid !== headOid) return null;
  const { id, report } = found.report;
  if (!isLinkReport(report) || report.state !== 'checked') return null;
  const { id: runId, directory, verdict } = found.run;
  const own = reportOfSpace(report, directory);
  return own === null || verdict === null ? null : { id, run: { id: runId, verdict }, report: own };
}

interface Fix {
  readonly octokit: Octokit;
  readonly hint: PullHint;
  readonly request: FixRequest;
  readonly pull: PullRequest;
  readonly files: readonly FixedFile[];
  readonly cached: GitRepository;
}

/** Commits and pushes the fixes. Null on success, `moved` when the branch has moved, else why the commit was refused. */
async function commitFixes(deps: PullRequestDeps, fix: Fix, run: JobContext): Promise<string | null> {
  const { octokit, hint, request, pull, files, cached } = fix;
  const app = await deps.access.app(run);
  const host = new URL(pull.repository.htmlUrl).host;
  const author = { ...(await botIdentity(app, octokit, host)), at: new Date() };
  const config = await readRepositoryConfig(octokit, pull.repository, pull.headOid);
  const signsOff = 'config' in config && config.config.exports['sign-off'];
  const requester = accountIdentity(request.by, host);
  const commit = await cached.buildCommit({
    parent: pull.headOid,
    changes: files.map(({ path, mode, bytes }) => ({
      path,
      file: { oid: objectOid('blob', bytes, hashOf(pull.headOid)), mode, bytes },
    })),
    message: writeMessage(files, [
      `Co-authored-by: ${requester.name} <${requester.email}>`,
      ...(signsOff ? [`Signed-off-by: ${author.name} <${author.email}>`] : []),
    ]),
    author,
    committer: author,
  });
  try {
    const writing = await mintRemote(app, hint.installationId, pull.repository, 'write');
    const remote: GitRemote = { ...writing, url: pull.head?.cloneUrl ?? writing.url };
    const ref = `refs/heads/${pull.head?.branch ?? ''}`;
    await cached.push(remote, ref, commit, { expected: pull.headOid, signal: run.signal });
    return null;
  } catch (error) {
    // The installation may grant less by now than the cached token allows.
    if (hasStatusCode(error, 403, 422))
      return 'the App’s installation does not allow it to write code any more';
    if (!(error instanceof GitError)) throw error;
    if (error.code === 'ref-moved') return 'moved';
    if (error.code === 'push-refused' || error.code === 'auth-required' || error.code === 'not-a-repository')
      return error.message.replace(/\.$/, '');
    throw error;
  }
}

/** Lines of a commit message that name links; the rest is in the commit itself. */
const MESSAGE_LINES = 50;

function writeMessage(files: readonly FixedFile[], trailers: readonly string[]): string {
  const links = files.reduce((sum, { fixed }) => sum + fixed.length, 0);
  const redirects = files.reduce((sum, file) => sum + file.redirects, 0);
  const lines = files.flatMap(({ path, fixed, redirects: written }) => [
    ...fixed.map(({ target, suggestion }) => oneLine(`- ${path}: ${target} → ${suggestion}`)),
    ...(written > 0 ? [oneLine(`- ${path}: ${written === 1 ? 'a redirect' : `${written} redirects`}`)] : []),
  ]);
  const more = lines.length > MESSAGE_LINES ? [`- and ${lines.length - MESSAGE_LINES} more`] : [];
  const fixing = links === 1 ? 'fix a link' : `fix ${links} links`;
  const leading = redirects === 1 ? 'redirect an address' : `redirect ${redirects} addresses`;
  const changes = [...(links > 0 ? [fixing] : []), ...(redirects > 0 ? [leading] : [])].join(', ');
  const subject = changes.charAt(0).toUpperCase() + changes.slice(1);
  return `${subject}\n\n${[...lines.slice(0, MESSAGE_LINES), ...more].join('\n')}\n\n${trailers.join('\n')}\n`;
}

/** Names come from the repository: a line break in them must not begin a line of the message. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 300);
}

/** Puts a sentence above the summary of the check. */
async function postExplanation(
  deps: PullRequestDeps,
  octokit: Octokit,
  pull: PullRequest,
  { id, run, report }: StoredCheck,
  sentence: string,
): Promise<void> {
  const offer = await offerFixes(octokit, pull, report);
  const summary = writeSummary(report, `${deps.publicUrl}/reports/${id}`, offer);
  const { owner, name } = pull.repository;
  await updateRunText({ ...deps, octokit }, { owner, name }, run, {
    title: writeTitle(report),
    summary: prependSentence(sentence, summary),
  });
}
