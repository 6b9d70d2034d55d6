import { buffer } from 'node:stream/consumers';
import type { Database } from '../db.ts';
import { newId } from '../new-id.ts';
import { recordIdentity } from '../server-identity.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';

/** The object that says whose prefix it is. */
const MARKER = 'docloom';

/** Another database has its bytes at this prefix: each would delete what the other needs. */
export class PrefixTaken extends Error {
  override readonly name = 'PrefixTaken';
}

/**
 * Makes sure that the prefix of an object store belongs to this database: the first to come leaves its id there.
 *
 * @throws PrefixTaken, or ObjectStoreError when the store does not answer as it should
 */
export async function claimPrefix(objects: ObjectStore, db: Database): Promise<void> {
  const own = await recordIdentity(db, 'blobs', newId());
  let owner = await readOwner(objects);
  if (owner === null) {
    await objects.put(MARKER, Buffer.from(`${own}\n`));
    // Of two that come at once, the later one has written over the other, which sees it here or at its next look.
    owner = await readOwner(objects);
  }
  if (owner === own) return;
  throw new PrefixTaken(
    `The prefix of BLOBS_URL belongs to another database of Docloom (${owner ?? 'unknown'}, and this one is ${own}): ` +
      'set BLOBS_URL to a prefix of its own. If that database is gone for good and this one takes over its files, delete the object "docloom" below the prefix and start again.',
  );
}

async function readOwner(objects: ObjectStore): Promise<string | null> {
  const body = await objects.get(MARKER);
  if (body === null) return null;
  try {
    return (await buffer(body)).toString('utf8', 0, 100).trim();
  } catch (error) {
    throw new ObjectStoreError('The object store broke off while it answered whose prefix it is.', {
      cause: error,
    });
  }
}
