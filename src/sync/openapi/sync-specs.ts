import type { Static } from 'typebox';
import { operations, PlatformError } from '../../client/index.ts';
import { type OpenApiConfig, parseConfig } from '../../config/index.ts';
import {
  CONFIG_PATH,
  type CommitFiles,
  type CommitStatus,
  explainError,
  hasStatusCode,
  type Octokit,
  postCommitStatus,
  type Repository,
  readBranchTip,
  readRepository,
  splitName,
} from '../../github/index.ts';
import { type JobContext, PermanentFailure } from '../../queue/index.ts';
import {
  claimOpenApiSource,
  loadOpenApiSource,
  loadRepository,
  type OpenApiSource,
  releaseOpenApiSources,
  saveOpenApiSource,
} from '../../store/index.ts';
import type { SpecDeps } from '../deps.ts';
import { collectSpecFiles } from './collect-spec-files.ts';
import type { specJob } from './spec-job.ts';
import { hasSpec, type SpecUpload, uploadSource } from './upload-source.ts';

/** The context of all specifications of one run. */
interface Run {
  readonly deps: SpecDeps;
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly installationId: number;
  readonly organizationId: string;
  /** The current tip of the default branch. */
  readonly tip: string;
  readonly commit: () => Promise<CommitFiles>;
  /** Whether a schedule started it. */
  readonly isScheduled: boolean;
  readonly context: JobContext;
}

/** The source to upload, and how a later run recognises it. */
interface Prepared {
  readonly source: SpecUpload;
  readonly key: string;
  readonly files: Readonly<Record<string, string | null>>;
}

/**
 * Uploads to the platform the specifications of a repository whose files or URLs changed since the last upload, and posts
 * the result on the default branch's tip. Sources are read at the current tip, so another run does only what is missing.
 *
 * @throws when something must be retried; the reason is saved and posted.
 */
export async function syncSpecs(
  deps: SpecDeps,
  { repositoryId, installationId, name }: Static<typeof specJob.payload>,
  context: JobContext,
): Promise<void> {
  const known = await loadRepository(deps.db, repositoryId);
  if (known === null || known.disconnected !== null) return;
  const parsed = parseConfig(known.configText ?? '');
  const isAbsent = known.configText === null;
  if (!isAbsent && 'problems' in parsed) return; // what is live stays live
  const entries = isAbsent || 'problems' in parsed ? [] : parsed.config.openapi;
  await releaseOpenApiSources(
    deps.db,
    repositoryId,
    entries.map((entry) => entry.name),
  );
  const due = entries.filter(
    (entry) => name === undefined || (entry.name === name && entry.url !== undefined),
  );
  if (due.length === 0) return;
  const octokit = await deps.access.on(installationId, context);
  const repository = await readRepository(octokit, splitName(known.fullName));
  if (repository === null || repository.id !== repositoryId || repository.archived) return;
  const tip = await readBranchTip(octokit, repository, repository.defaultBranch);
  if (tip === null) return;
  let opened: Promise<CommitFiles> | null = null;
  const run: Run = {
    deps,
    octokit,
    repository,
    installationId,
    organizationId: await deps.organizationId(),
    tip,
    commit: () => {
      opened ??= deps.openCommit(installationId, repository, tip, context.signal);
      return opened;
    },
    isScheduled: name !== undefined,
    context,
  };
  const failures: unknown[] = [];
  for (const entry of due) {
    try {
      await syncSpec(run, entry);
    } catch (error) {
      if (context.signal.aborted) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function syncSpec(run: Run, entry: OpenApiConfig): Promise<void> {
  const { deps, repository, tip, context } = run;
  const spec = { organizationId: run.organizationId, specSlug: entry.name };
  const before = await claim(run, entry, spec);
  if (before === null) return;
  try {
    if (context.exhausted)
      throw new PermanentFailure('Docloom stopped during each attempt; its operator finds more in the log.');
    // Somebody may have deleted it on the platform.
    const isGone = before.source !== null && !(await hasSpec(deps.client, spec));
    const prepared = await prepare(run, entry, isGone ? { ...before, source: null } : before);
    if (prepared === null) return await saveOpenApiSource(deps.db, entry.name, { commitOid: tip });
    const isSame = before.source === prepared.key;
    if (!run.isScheduled || !isSame) {
      const pendingOids = [...new Set([...before.pendingOids, tip])].slice(-20);
      await saveOpenApiSource(deps.db, entry.name, { pendingOids });
      await postStatus(run, entry, tip, { state: 'pending', description: 'Reading the specification.' });
    }
    const result = await uploadSource(deps.client, spec, prepared.source, context.signal);
    const hasNewResult = result.error !== before.error || result.versionId !== before.versionId;
    if (!run.isScheduled || !isSame || hasNewResult) {
      const status = await describe(run, spec, before, result);
      const overtaken = before.pendingOids.filter((oid) => oid !== tip);
      for (const oid of overtaken) await postStatus(run, entry, oid, describeOvertaken(status, tip));
      await postStatus(run, entry, tip, status);
    }
    await saveOpenApiSource(deps.db, entry.name, {
      source: prepared.key,
      files: prepared.files,
      commitOid: tip,
      pendingOids: [],
      versionId: result.versionId,
      error: result.error,
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const isFinal = error instanceof PermanentFailure || (error instanceof PlatformError && !error.retryable);
    const reason = error instanceof PermanentFailure ? error.message : explainError(error);
    if (isFinal) {
      if (before.error !== reason || before.commitOid !== tip || before.pendingOids.length > 0)
        await postStatus(run, entry, tip, { state: 'failure', description: reason });
      const final = { commitOid: tip, pendingOids: [], source: null, error: reason };
      await saveOpenApiSource(deps.db, entry.name, final);
      deps.log.warn(
        { err: error, repository: repository.fullName, spec: entry.name },
        'A specification could not be uploaded to the platform',
      );
      return;
    }
    await saveOpenApiSource(deps.db, entry.name, { error: reason });
    if (context.attempt > 1 || context.lastAttempt) {
      const status: Pick<CommitStatus, 'state' | 'description'> = context.lastAttempt
        ? { state: 'error', description: reason }
        : { state: 'pending', description: `Waits for the next attempt: ${reason}` };
      await postStatus(run, entry, tip, status);
    }
    throw error;
  }
}

/** Claims a specification's name for this repository. Null, with a status on the commit, when it belongs to somebody else. */
async function claim(
  run: Run,
  entry: OpenApiConfig,
  spec: { readonly organizationId: string; readonly specSlug: string },
): Promise<OpenApiSource | null> {
  const { deps, repository, tip } = run;
  // Otherwise people who can push to one repository could replace specifications of another.
  const isForeign =
    (await loadOpenApiSource(deps.db, entry.name)) === null && (await hasSpec(deps.client, spec));
  const row = isForeign ? null : await claimOpenApiSource(deps.db, entry.name, repository.id);
  if (row !== null) return row;
  const origin = isForeign
    ? 'did not come from a repository; delete it there'
    : 'comes from another repository; remove it there';
  await postStatus(run, entry, tip, {
    state: 'failure',
    description: `${CONFIG_PATH}:${entry.line}: The organization’s ${entry.name} ${origin}, or use another name.`,
  });
  return null;
}

/** The source to upload; null when the same was uploaded last. */
async function prepare(run: Run, entry: OpenApiConfig, before: OpenApiSource): Promise<Prepared | null> {
  const { file, url } = entry;
  const isSettled = before.pendingOids.length === 0;
  if (url !== undefined) {
    const key = `${url} ${JSON.stringify(entry.headers)}`;
    if (!run.isScheduled && isSettled && before.source === key) return null;
    return { source: { url, headers: readHeaders(run.deps, entry, url) }, key, files: {} };
  }
  if (file === undefined) return null;
  const commit = await run.commit();
  const isSame = Object.entries(before.files).every(
    ([path, oid]) => (commit.entries.get(path)?.oid ?? null) === oid,
  );
  if (isSettled && before.source === file && isSame) return null;
  if (!commit.entries.has(file))
    throw new PermanentFailure(
      `${CONFIG_PATH}:${entry.line}: There is no file ${file}; name an existing one.`,
    );
  const { texts, oids } = await collectSpecFiles(commit, file, run.context.signal);
  const { [file]: text = '', ...files } = texts;
  if (text.trim() === '')
    throw new PermanentFailure(
      `${file}:1:1: The file is empty; write a specification, or name another file.`,
    );
  return { source: { text, path: file, files }, key: file, files: oids };
}

function readHeaders(
  { secretFor }: SpecDeps,
  { headers, line }: OpenApiConfig,
  url: string,
): Readonly<Record<string, string>> {
  const { host } = new URL(url);
  return Object.fromEntries(
    Object.entries(headers).map(([header, secret]) => {
      const value = secretFor(secret, host);
      if (value !== null) return [header, value];
      throw new PermanentFailure(
        `${CONFIG_PATH}:${line}: There is no secret ${secret} for ${host}; the operator sets OPENAPI_SECRET_${secret}.`,
      );
    }),
  );
}

async function describe(
  { deps }: Run,
  params: { readonly organizationId: string; readonly specSlug: string },
  before: OpenApiSource,
  { error, versionId }: { readonly error: string | null; readonly versionId: string | null },
): Promise<Pick<CommitStatus, 'state' | 'description' | 'targetUrl'>> {
  if (error !== null) return { state: 'failure', description: error };
  const { urls } = await deps.client.call(operations.getOpenAPISpec, { params });
  const link = urls.published === undefined ? {} : { targetUrl: urls.published };
  if (versionId === null || versionId === before.versionId)
    return { state: 'success', description: 'Live, and unchanged in meaning.', ...link };
  const { total, breaking } = await deps.client.call(operations.listOpenAPIChanges, {
    params: { ...params, versionId },
  });
  const changes = `${total} ${total === 1 ? 'change' : 'changes'} for clients`;
  const broken =
    breaking === 0 ? 'none breaks them' : `${breaking} ${breaking === 1 ? 'breaks' : 'break'} them`;
  const summary =
    before.versionId === null
      ? 'its first version'
      : total === 0
        ? 'no change for clients'
        : `${changes}, ${broken}`;
  return { state: 'success', description: `Live: ${summary}.`, ...link };
}

function describeOvertaken(
  { state, description }: Pick<CommitStatus, 'state' | 'description'>,
  tip: string,
): Pick<CommitStatus, 'state' | 'description'> {
  const short = tip.slice(0, 7);
  return state === 'success'
    ? { state, description: `Overtaken by ${short}, which is live.` }
    : { state, description: `Overtaken by ${short}, which failed: ${description}` };
}

/** Skips commits that a force push removed. */
async function postStatus(
  { octokit, repository }: Run,
  { name }: OpenApiConfig,
  oid: string,
  status: Omit<CommitStatus, 'context'>,
): Promise<void> {
  try {
    await postCommitStatus(octokit, repository, oid, { ...status, context: `docloom/openapi: ${name}` });
  } catch (error) {
    if (!hasStatusCode(error, 404, 422)) throw error;
  }
}
