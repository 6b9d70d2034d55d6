import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type Database,
  deleteServerSecret,
  insertServerSecret,
  loadServerSecret,
  type Sealer,
} from '../../store/index.ts';

/**
 * The key that opens the set-up page to whoever reads the server's log, until an App is set up. It is the same for all
 * processes on one database, and through restarts.
 */
export async function openSetupKey(db: Database, sealer: Sealer): Promise<string> {
  await insertServerSecret(db, sealer, 'setup-key', randomBytes(24).toString('base64url'));
  try {
    const stored = await loadServerSecret(db, sealer, 'setup-key');
    if (stored !== null) return stored;
  } catch {
    // Sealed with a key that is gone: a new one takes its place.
  }
  await deleteServerSecret(db, 'setup-key');
  return await openSetupKey(db, sealer);
}

/** Whether this is the key, while there is one. Takes the same time wherever it differs. */
export async function isSetupKey(db: Database, sealer: Sealer, text: string): Promise<boolean> {
  const kept = await loadServerSecret(db, sealer, 'setup-key').catch(() => null);
  return kept !== null && timingSafeEqual(digest(kept), digest(text));
}

export async function endSetupKey(db: Database): Promise<void> {
  await deleteServerSecret(db, 'setup-key');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
