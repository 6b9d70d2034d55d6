import { Worker } from 'node:worker_threads';
import { MAX_SPEC_BYTES, type ReadFile } from '../../content/openapi/index.ts';
import type { CommitFiles } from '../../github/index.ts';
import { PermanentFailure } from '../../queue/index.ts';

export interface GatheredSpec {
  /** The texts by path, the first file among them. */
  readonly texts: Readonly<Record<string, string>>;
  /** The oids of all files that were asked for; null for what is not there. */
  readonly oids: Readonly<Record<string, string | null>>;
}

const thread = new URL(
  `./reference-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
const TIMEOUT_MS = 180_000;
const MEMORY_MB = 2_048;

/**
 * A description of a commit with the files that it refers to. Read in a thread of its own, since a stranger's file may
 * take much time and memory.
 *
 * @throws PermanentFailure with a sentence for people where it cannot be had
 */
export async function gatherFiles(
  commit: CommitFiles,
  entry: string,
  signal: AbortSignal,
): Promise<GatheredSpec> {
  const texts: Record<string, string> = Object.create(null);
  const oids: Record<string, string | null> = Object.create(null);
  let bytes = 0;
  const read = async (file: string): Promise<Awaited<ReturnType<ReadFile>>> => {
    // An address is not of the repository.
    if (/^https?:/i.test(file)) return { problem: 'an address is not of the repository.' };
    const found = commit.entries.get(file);
    oids[file] = found?.oid ?? null;
    if (found === undefined) return { problem: 'there is no such file.' };
    if (found.mode === 'symlink' || found.mode === 'submodule') return { problem: 'it is no plain file.' };
    const content = await commit.read(found);
    bytes += content?.length ?? Number.POSITIVE_INFINITY;
    if (content === null || bytes > MAX_SPEC_BYTES) {
      const limit = MAX_SPEC_BYTES / 1024 / 1024;
      throw new PermanentFailure(`${file}: the files of a description may have ${limit} MiB together.`);
    }
    const text = new TextDecoder().decode(content);
    texts[file] = text;
    return { text };
  };
  signal.throwIfAborted();
  const worker = new Worker(thread, {
    workerData: entry,
    // It reads what strangers wrote, and needs nothing of what the server knows.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (limit: string) =>
    reject(new PermanentFailure(`${entry}: it takes more than ${limit} to read; make it smaller.`));
  const timer = setTimeout(() => refuse(`${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (file: string) => {
    read(file).then((answer) => worker.postMessage({ file, answer }), reject);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse(`${MEMORY_MB} MiB of memory`);
    else reject(error);
  });
  worker.on('exit', () => resolve());
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
  return { texts: { ...texts }, oids: { ...oids } };
}
