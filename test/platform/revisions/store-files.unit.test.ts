import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storeFiles } from '../../../src/platform/revisions/store-files.ts';
import { hashBytes, openFolderBlobs } from '../../../src/store/index.ts';

const MB = 1024 * 1024;

it('has few bytes of unfinished writes in memory, however large the files are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-files-'));
  try {
    const blobs = await openFolderBlobs(folder);
    let [open, most] = [0, 0];
    const counted: typeof blobs = {
      ...blobs,
      async write(oid, bytes) {
        open += bytes.length;
        most = Math.max(most, open);
        await blobs.write(oid, bytes);
        open -= bytes.length;
      },
    };
    const files = Array.from({ length: 6 }, (_, at) => {
      const bytes = Buffer.alloc(12 * MB, at);
      return { path: `${at}.zip`, oid: hashBytes(bytes, 'a'.repeat(40)), bytes };
    });
    const kept = await storeFiles({
      analysis: {
        assets: files.map(({ path, oid }) => ({ path, oid, size: null })),
      } as unknown as Parameters<typeof storeFiles>[0]['analysis'],
      tree: [],
      previous: new Map(),
      lost: new Set(),
      blobs: counted,
      received: { find: async () => new Set(), record: async () => {} },
      readBlobs: async function* () {
        yield* files;
      },
      onProgress: async () => {},
    });
    expect(kept.map(({ size, state }) => [size, state])).toEqual(files.map(() => [12 * MB, 'stored']));
    expect(most).toBeLessThanOrEqual((32 + 12) * MB);
    for (const { oid } of files) expect(await blobs.size(oid)).toBe(12 * MB);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
