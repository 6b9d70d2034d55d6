import { createReadStream, existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createHttp, useProxies } from '../../net/index.ts';
import { loadStoreConfig, type StoreConfig } from '../../server/config/index.ts';
import {
  ArchiveDamaged,
  openBlobs,
  openSealer,
  openStore,
  RestoreRefused,
  restoreBackup,
  verifyBackup,
} from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { prepareFolder } from '../prepare-folder.ts';

/** `docloom restore`: checks a backup from its first byte to its last, then fills an empty database and its files with it. */
export async function runRestore(name: string, io: CommandIo): Promise<ExitCode> {
  const file = resolve(io.cwd, name);
  await access(file, constants.R_OK).catch(() => {
    throw new UsageError(`${name} cannot be read: name a file that docloom backup has written.`);
  });
  const config = loadStoreConfig(io.env);
  useProxies(config.proxies);
  const read = () => createReadStream(file, { highWaterMark: 1024 ** 2 });
  try {
    const manifest = await verifyBackup(read);
    await prepareFolder(config.dataDir, 'DATA_DIR');
    const { tables, files } = await fill(config, manifest, read, io);
    io.stdout.write(
      `The state of ${manifest.takenAt}, of Docloom ${manifest.release}, is restored: ${tables} tables and ${files} files.\n`,
    );
    if (manifest.keyId !== null && manifest.keyId !== keyIdOf(config))
      io.stdout.write(
        `Its secrets are sealed with the key ${manifest.keyId}: before docloom serve starts, set SECRET_KEY to it or bring its file secret.key into DATA_DIR. If it is lost, run docloom reset-key.\n`,
      );
    return 0;
  } catch (error) {
    if (error instanceof ArchiveDamaged)
      throw new UsageError(`${name} ${error.message}, so nothing was restored.`);
    if (error instanceof RestoreRefused) throw new UsageError(error.message);
    throw error;
  }
}

async function fill(
  { dataDir, databaseUrl, databaseDirectUrl, blobs: settings }: StoreConfig,
  manifest: Parameters<typeof restoreBackup>[1],
  read: Parameters<typeof restoreBackup>[2],
  io: CommandIo,
) {
  const store = await openStore({
    dataDir,
    // Its own connections: the tables are migrated before and after they are filled.
    databaseUrl: databaseDirectUrl ?? databaseUrl,
    poolSize: 3,
    migrates: false,
  });
  const http = createHttp({ userAgent: 'docloom restore' });
  try {
    return await restoreBackup(
      {
        pool: store.pool,
        openBlobs: () => openBlobs({ dataDir, settings, db: store.db, http, readsFolder: false }),
      },
      manifest,
      read,
      {
        signal: io.signal,
        onProgress: (count) => {
          if (count % 1_000 === 0) io.stderr.write(`${count} files …\n`);
        },
      },
    );
  } finally {
    await http.close();
    await store.close();
  }
}

/** The key of this machine; null where none is set, since asking for it would make one. */
function keyIdOf({ dataDir, secretKey }: StoreConfig): string | null {
  if (secretKey === null && !existsSync(join(dataDir, 'secret.key'))) return null;
  return openSealer({ dataDir, secretKey: secretKey ?? undefined }).keyId;
}
