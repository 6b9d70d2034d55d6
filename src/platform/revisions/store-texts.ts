import type { Page } from '../../content/index.ts';
import type { GitBlob } from '../../git/index.ts';
import { type Db, findTexts, upsertTexts } from '../../store/index.ts';
import type { BlobReader } from './blob-reader.ts';

/** Bytes that are inserted by one statement. */
const batchBytes = 4 * 1024 * 1024;

/** A larger file is not included in the text of a page. */
export const MAX_INCLUDED_BYTES = 2 * 1024 * 1024;

/** Stores the bytes of pages and other texts that were read, a few megabytes at a time. */
export interface TextStore {
  add(blob: GitBlob): Promise<void>;
  /**
   * Fetches and stores the missing texts of pages, and those of `parts` (oids: files that are included in pages), which are
   * looked for even if they are known. Returns the oids of which the reader left out the bytes. Call it once, at the end.
   */
  finish(pages: readonly Page[], parts: Iterable<string>): Promise<ReadonlySet<string>>;
  /** Stores what was read so far: what the engine read once, it does not read again. */
  flush(): Promise<void>;
}

/**
 * Texts count as stored only if the space received them: an oid in its tree says nothing of where the bytes come from.
 * `knownOids` are known to be, because the previous revision has them. Those in `lost` are not, whatever is there.
 */
export function createTextStore(
  db: Db,
  spaceId: string,
  readBlobs: BlobReader,
  { knownOids, lost }: { readonly knownOids: ReadonlySet<string>; readonly lost: ReadonlySet<string> },
): TextStore {
  const stored = new Set(knownOids);
  const added = new Set<string>();
  let pending: GitBlob[] = [];
  let pendingBytes = 0;

  async function flush(): Promise<void> {
    const batch = pending;
    pending = [];
    pendingBytes = 0;
    await upsertTexts(db, spaceId, batch, lost);
  }

  async function add(blob: GitBlob): Promise<void> {
    if (stored.has(blob.oid)) return;
    stored.add(blob.oid);
    added.add(blob.oid);
    pending.push(blob);
    pendingBytes += blob.bytes.length;
    if (pendingBytes >= batchBytes) await flush();
  }

  return {
    add,
    flush,
    async finish(pages, parts) {
      const needed = new Set<string>();
      addMissing(pages, stored, needed);
      const ofPages = new Set<string>();
      addMissing(pages, new Set(), ofPages);
      for (const oid of parts) if (!added.has(oid)) needed.add(oid);
      const found = await findTexts(db, spaceId, [...needed]);
      const missing = new Set([...needed].filter((oid) => !found.has(oid) || lost.has(oid)));
      if (missing.size > 0) {
        for await (const blob of readBlobs([...missing])) {
          missing.delete(blob.oid);
          stored.delete(blob.oid);
          if (ofPages.has(blob.oid) || blob.bytes.length <= MAX_INCLUDED_BYTES) await add(blob);
        }
      }
      await flush();
      return missing;
    },
  };
}

function addMissing(pages: readonly Page[], stored: ReadonlySet<string>, missing: Set<string>): void {
  for (const page of pages) {
    if (page.oid !== null && !stored.has(page.oid)) missing.add(page.oid);
    addMissing(page.pages, stored, missing);
  }
}
