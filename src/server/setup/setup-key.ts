import { randomBytes } from 'node:crypto';
import {
  type Database,
  deleteServerSecret,
  findServerSecret,
  insertServerSecret,
  type Sealer,
} from '../../store/index.ts';
import { isSameSecret } from '../is-same-secret.ts';

/**
 * Returns the key that opens the set-up page, for people who can read the server's log, until an App is set up. It is the
 * same for all processes on one database and after restarts.
 */
export async function openSetupKey(db: Database, sealer: Sealer): Promise<string> {
  await insertServerSecret(db, sealer, 'setup-key', randomBytes(24).toString('base64url'));
  const stored = await findServerSecret(db, sealer, 'setup-key');
  if (stored !== null) return stored;
  await deleteServerSecret(db, 'setup-key');
  return await openSetupKey(db, sealer);
}

/** The path and query that open the set-up page. */
export function setupAddress(key: string): string {
  return `/setup?key=${key}`;
}

/** Whether this is the set-up key; false when there is none. */
export async function isSetupKey(db: Database, sealer: Sealer, text: string): Promise<boolean> {
  const stored = await findServerSecret(db, sealer, 'setup-key');
  return stored !== null && isSameSecret(stored, text);
}

export async function deleteSetupKey(db: Database): Promise<void> {
  await deleteServerSecret(db, 'setup-key');
}
