import type { Db } from './db.ts';
import type { Sealer } from './sealer.ts';
import { findIdentity, recordIdentity } from './server-identity.ts';

/**
 * Makes sure that this process seals with the same key as all others on the database; the first one records its key's id.
 *
 * @throws Error with what to do, when it has another key
 */
export async function requireSameKey(db: Db, { keyId }: Sealer): Promise<void> {
  const problem = describeOtherKey(await recordIdentity(db, 'secret-key', keyId), keyId);
  if (problem !== null) throw new Error(problem);
}

/** Why a process with this key does not start, in a sentence; null where it does. Records nothing. */
export async function findOtherKey(db: Db, { keyId }: Sealer): Promise<string | null> {
  return describeOtherKey((await findIdentity(db, 'secret-key')) ?? keyId, keyId);
}

function describeOtherKey(recorded: string, keyId: string): string | null {
  return recorded === keyId
    ? null
    : `This database is sealed with another key (${recorded}, and this process has ${keyId}): set SECRET_KEY to that of the other processes, or bring back the file secret.key of the data folder. ` +
        'If the key is lost, run docloom reset-key: what it sealed has to be set up again.';
}
