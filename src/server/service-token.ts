import { findLiveToken } from '../identity/index.ts';
import { createToken } from '../platform/index.ts';
import {
  type Database,
  findServerSecret,
  insertServerSecret,
  revokeWithMade,
  SERVICE_TOKEN_NAME,
  type Sealer,
  upsertServerSecret,
} from '../store/index.ts';

/**
 * Returns the token with which the App and the scheduler call their own platform, the same in all processes on the
 * database. A revoked or unreadable one is replaced.
 */
export async function serviceToken(db: Database, sealer: Sealer): Promise<string> {
  const stored = await findStored(db, sealer);
  if (stored !== null) return stored;
  const { id, token } = await createToken(db, { name: SERVICE_TOKEN_NAME, role: 'create', expiresAt: null });
  if (await insertServerSecret(db, sealer, 'service-token', token)) return token;
  // Another process was faster, or what is stored opens nothing.
  const other = await findStored(db, sealer);
  if (other === null) {
    await upsertServerSecret(db, sealer, 'service-token', token);
    return token;
  }
  await revokeWithMade(db, id);
  return other;
}

async function findStored(db: Database, sealer: Sealer): Promise<string | null> {
  const stored = await findServerSecret(db, sealer, 'service-token');
  return stored !== null && (await findLiveToken(db, stored)) !== null ? stored : null;
}
