import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createHttp, useProxies } from '../../net/index.ts';
import { loadStoreConfig } from '../../server/config/index.ts';
import { openBlobs, writeBackup } from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { openExistingStore } from '../open-existing-store.ts';

/** `docloom backup`: writes database and files, as they are at one moment, into a file that only its owner can read. */
export async function runBackup(name: string, io: CommandIo): Promise<ExitCode> {
  const file = resolve(io.cwd, name);
  if (await stat(file).catch(() => null))
    throw new UsageError(`${name} exists already: choose another name.`);
  const { dataDir, blobs: settings, proxies } = loadStoreConfig(io.env);
  useProxies(proxies);
  const store = await openExistingStore(io);
  const http = createHttp({ userAgent: 'docloom backup' });
  const draft = `${file}.part`;
  try {
    const blobs = await openBlobs({ dataDir, settings, db: store.db, http });
    const out = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const { takenAt, tables, files, withoutBytes } = await writeBackup(
      { pool: store.pool, blobs },
      writerTo(out),
      {
        signal: io.signal,
        onProgress: (count) => {
          if (count % 1_000 === 0) io.stderr.write(`${count} files …\n`);
        },
      },
    ).finally(() => close(out));
    await rename(draft, file);
    await syncFolder(dirname(file));
    const without = withoutBytes === 0 ? '' : `; the bytes of ${withoutBytes} further files are not stored`;
    io.stdout.write(`${name} has the state of ${takenAt}: ${tables} tables and ${files} files${without}.\n`);
    io.stdout.write('It has no key: keep SECRET_KEY, or secret.key of DATA_DIR, at another place.\n');
    return 0;
  } catch (error) {
    await rm(draft, { force: true });
    if (io.signal.aborted) throw new UsageError('The backup was interrupted, and nothing was kept of it.');
    throw explain(error, name);
  } finally {
    await http.close();
    await store.close();
  }
}

/** Resolves when the stream takes more. */
function writerTo(out: WriteStream): (bytes: Uint8Array) => Promise<void> {
  let failure: Error | null = null;
  out.on('error', (error) => {
    failure = error;
  });
  return async (bytes) => {
    if (failure !== null) throw failure;
    if (!out.write(bytes)) await once(out, 'drain');
  };
}

async function close(out: WriteStream): Promise<void> {
  if (out.destroyed) return;
  out.end();
  await once(out, 'close');
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync();
  await folder.close();
}

function explain(error: unknown, name: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EACCES: 'this user may not write there',
    EEXIST: 'another backup is being written to it, or was interrupted: remove the file ending in .part',
    ENOENT: 'its folder does not exist',
    EROFS: 'the file system is read-only',
  };
  const reason = reasons[code ?? ''];
  return reason === undefined ? error : new UsageError(`${name} cannot be written: ${reason}.`);
}
