import { DESCRIPTION_VERSION, formatSpecProblem, type SpecProblem } from '../../openapi/index.ts';
import type { JobContext } from '../../queue/index.ts';
import {
  beginReading,
  completeReading,
  hasOutdatedOperations,
  insertVersion,
  listOutdatedSpecs,
  listUnreadSpecs,
  loadSpec,
  loadUpload,
  loadVersionContent,
  type NewOperation,
  newId,
  type OpenApiError,
  type OpenApiSpecRow,
  renewOperations,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { SpecFetcher, SpecUnreachable, type Validators } from './fetch-spec.ts';
import { openapiJob } from './openapi-job.ts';
import type { GivenSpec, ProcessedOperation, SpecOutcome } from './process-spec.ts';
import { processSpecInThread } from './process-spec-in-thread.ts';
import { publicAddress, unpackUpload, unsealSource } from './spec-source.ts';

/**
 * Reads the new source of a specification, unless it was already read; the last version stays until then. Operations that an
 * older release described are described again.
 */
export async function readDueSpec(
  deps: PlatformDeps,
  specId: string,
  context: Pick<JobContext, 'signal' | 'exhausted'>,
): Promise<void> {
  await readNewSource(deps, specId, context);
  if (!context.exhausted) await describeAgain(deps, specId, context.signal);
}

async function readNewSource(
  deps: PlatformDeps,
  specId: string,
  context: Pick<JobContext, 'signal' | 'exhausted'>,
): Promise<void> {
  const spec = await beginReading(deps.db, specId);
  if (!spec) return;
  const fields = { spec: spec.id, slug: spec.slug };
  if (context.exhausted) {
    const message =
      'Reading it was started repeatedly and never finished; check the server’s memory and log, then send the source again.';
    await recordFailure(deps, spec, { code: 'PARSE_ERROR', errors: [{ code: 'TIMEOUT', message }] });
    return;
  }
  try {
    const reading =
      spec.sealedSource === null
        ? await readUpload(deps, spec, context.signal)
        : await readRemote(deps, spec, context.signal);
    if (reading === null) return;
    await saveOutcome(deps, spec, reading);
    deps.log.info({ ...fields, outcome: reading.outcome.kind }, 'OpenAPI specification read');
  } catch (error) {
    if (!(error instanceof SpecUnreachable)) throw error;
    await recordFailure(deps, spec, {
      code: error.code,
      errors: [{ code: error.code, message: error.message }],
    });
    deps.log.warn({ ...fields, reason: error.message }, 'OpenAPI specification not fetched');
  }
}

/**
 * Enqueues a job for every specification whose source is not read yet, whose job may have been lost with a process, and for
 * those that an older release described.
 */
export async function resumeSpecs(deps: PlatformDeps): Promise<void> {
  const unread = await listUnreadSpecs(deps.db);
  const outdated = await listOutdatedSpecs(deps.db, DESCRIPTION_VERSION);
  for (const specId of new Set([...unread, ...outdated]))
    await deps.queue.enqueue(deps.db, openapiJob, { specId });
}

interface Reading {
  readonly outcome: SpecOutcome | { readonly kind: 'not-modified' };
  readonly validators: Validators;
}

const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

async function readUpload(
  deps: PlatformDeps,
  spec: OpenApiSpecRow,
  signal: AbortSignal,
): Promise<Reading | null> {
  const content = await loadUpload(deps.db, spec.id, spec.generation);
  // A newer source was stored meanwhile, and has a job of its own.
  if (content === null) return null;
  const { entry, files } = await unpackUpload(content);
  const task = await taskOf(deps, spec, { entry, byAddress: false });
  const outcome = await processSpecInThread(
    task,
    async (file) => {
      const text = Object.hasOwn(files, file) ? files[file] : undefined;
      if (text !== undefined) return { text };
      const isAddress = /^https?:/.test(file);
      const advice = isAddress
        ? 'set the address of the specification as the source, or send the file with the document'
        : 'send it with the document, in the field files';
      return { problem: `the file ${file} was not sent; ${advice}.` };
    },
    { signal },
  );
  return { outcome, validators: NO_VALIDATORS };
}

async function readRemote(deps: PlatformDeps, spec: OpenApiSpecRow, signal: AbortSignal): Promise<Reading> {
  const source = unsealSource(spec.sealedSource ?? '', deps.sealer);
  const fetcher = new SpecFetcher(deps, source, signal);
  try {
    // A source that could not be read is read again, even if it did not change.
    const known = spec.lastVersionId === null || spec.lastErrorCode !== null ? NO_VALIDATORS : spec;
    const main = await fetcher.fetchEntry(known);
    if (main === null) return { outcome: { kind: 'not-modified' }, validators: spec };
    const entry = publicAddress(source.url);
    const task = await taskOf(deps, spec, { entry, byAddress: true });
    const outcome = await processSpecInThread(
      task,
      async (file) => {
        if (file === entry) return { text: main.text };
        try {
          return { text: await fetcher.fetchReferenced(file) };
        } catch (error) {
          if (error instanceof SpecUnreachable) return { problem: error.message };
          throw error;
        }
      },
      { signal },
    );
    // Of several files, another one may change while the main file stays the same.
    const isSingleFile = outcome.kind !== 'refused' && outcome.fileCount === 1;
    return { outcome, validators: isSingleFile ? main : NO_VALIDATORS };
  } finally {
    await fetcher.close();
  }
}

async function taskOf(
  { db }: PlatformDeps,
  spec: OpenApiSpecRow,
  file: Pick<GivenSpec, 'entry' | 'byAddress'>,
): Promise<GivenSpec> {
  const content = spec.lastVersionId === null ? null : await loadVersionContent(db, spec.lastVersionId);
  const previous = content === null || spec.digest === null ? null : { digest: spec.digest, ...content };
  return { ...file, previous };
}

async function saveOutcome(
  deps: PlatformDeps,
  spec: OpenApiSpecRow,
  { outcome, validators }: Reading,
): Promise<void> {
  const { etag, lastModified } = validators;
  if (outcome.kind === 'refused') {
    await recordFailure(deps, spec, { code: 'PARSE_ERROR', errors: outcome.problems.map(toError) });
    return;
  }
  if (outcome.kind !== 'new') {
    await completeReading(deps.db, spec, { etag, lastModified });
    return;
  }
  const { digest, title, content, document, changes, operations } = outcome;
  const versionId = newId();
  await deps.db.transaction(async (tx) => {
    if (!(await completeReading(tx, spec, { digest, lastVersionId: versionId, etag, lastModified }))) return;
    await insertVersion(
      tx,
      {
        id: versionId,
        specId: spec.id,
        digest,
        title: storable(title),
        content: Buffer.from(content),
        document: document && Buffer.from(document),
        changes: changes && JSON.parse(storable(JSON.stringify(changes))),
      },
      operations.map(toRow),
    );
  });
}

function toRow({ method, path, tag, title, isDeprecated, view }: ProcessedOperation): NewOperation {
  return {
    method: storable(method),
    path: storable(path),
    tag: tag === null ? null : storable(tag),
    title: storable(title),
    isDeprecated,
    view: Buffer.from(view),
    viewVersion: DESCRIPTION_VERSION,
  };
}

/** From what is stored of the last version: nothing is fetched for it, and nothing of the version changes. */
async function describeAgain(deps: PlatformDeps, specId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (!(await hasOutdatedOperations(db, specId, DESCRIPTION_VERSION))) return;
  const versionId = (await loadSpec(db, specId))?.lastVersionId ?? null;
  const stored = versionId === null ? null : await loadVersionContent(db, versionId);
  if (versionId === null || stored === null) return;
  const outcome = await processSpecInThread({ stored: stored.content }, readNothing, { signal });
  const fields = { spec: specId, outcome: outcome.kind };
  if (outcome.kind !== 'new') {
    deps.log.warn(fields, 'OpenAPI specification cannot be described again; its pages stay as they are');
    return;
  }
  await renewOperations(db, { specId, versionId }, outcome.operations.map(toRow));
  deps.log.info(fields, 'OpenAPI specification described again');
}

const readNothing = async (file: string) => ({ problem: `the file ${file} is not stored.` });

async function recordFailure(
  deps: PlatformDeps,
  spec: OpenApiSpecRow,
  { code, errors }: { readonly code: string; readonly errors: readonly OpenApiError[] },
): Promise<void> {
  await completeReading(deps.db, spec, {
    lastErrorCode: code,
    lastErrors: JSON.parse(storable(JSON.stringify(errors))),
  });
}

/** PostgreSQL cannot store U+0000, not even in JSON. */
function storable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '\u{fffd}')
    .replaceAll(/\\u0000/g, '\\ufffd');
}

function toError(problem: SpecProblem): OpenApiError {
  const { code, file, pointer, line, column } = problem;
  return {
    code,
    message: formatSpecProblem(problem),
    path: file,
    ...(pointer === undefined ? {} : { pointer }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
