import { join } from 'node:path';
import { createHttp, useProxies } from '../../net/index.ts';
import { loadStoreConfig } from '../../server/config/index.ts';
import { copyBlobs, DATA_FOLDERS, openBlobs, openFolderBlobs } from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { openExistingStore } from '../open-existing-store.ts';

/** The folder `blobs` of DATA_DIR, or the object store of BLOBS_URL. */
export type BlobPlace = 'folder' | 'objects';

/** `docloom blobs copy`: copies the bytes of files between DATA_DIR and the object store of BLOBS_URL, while servers run. */
export async function runCopyBlobs(
  { from, to }: { readonly from: BlobPlace; readonly to: BlobPlace },
  io: CommandIo,
): Promise<ExitCode> {
  const { dataDir, blobs: settings, proxies } = loadStoreConfig(io.env);
  useProxies(proxies);
  if (settings.objects === null)
    throw new UsageError(
      'BLOBS_URL is missing: set it and its keys to the object store, as docloom serve has them.',
    );
  if (from === to)
    throw new UsageError(`Blobs cannot be copied from ${from} to ${to}: choose the other one.`);
  const store = await openExistingStore(io);
  const http = createHttp({ userAgent: 'docloom blobs' });
  try {
    const folder = await openFolderBlobs(join(dataDir, DATA_FOLDERS.blobs));
    const objects = await openBlobs({ dataDir, settings, db: store.db, http, readsFolder: false });
    const [source, target] = from === 'folder' ? [folder, objects] : [objects, folder];
    const { seen, copied, damaged } = await copyBlobs(source, target, {
      signal: io.signal,
      onProgress: (count) => {
        if (count % 1_000 === 0) io.stderr.write(`${count} looked at …\n`);
      },
    });
    io.stdout.write(`${copied} of ${seen} blobs were copied; the others were there already.\n`);
    for (const oid of damaged)
      io.stdout.write(`${oid} is damaged and was not copied: import its space again with force.\n`);
    return damaged.length > 0 ? 1 : 0;
  } finally {
    await http.close();
    await store.close();
  }
}
