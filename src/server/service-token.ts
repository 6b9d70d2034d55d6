import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLiveToken } from '../identity/index.ts';
import { createToken } from '../platform/index.ts';
import { type Database, SERVICE_TOKEN_NAME, type Sealer } from '../store/index.ts';

/**
 * Returns the token with which this process's App and scheduler call its own platform. It is stored encrypted in DATA_DIR,
 * so that restarts and processes that share the folder use the same one; a revoked or unreadable one is replaced.
 */
export async function serviceToken(db: Database, sealer: Sealer, dataDir: string): Promise<string> {
  const file = join(dataDir, 'service-token.sealed');
  const stored = await readSealed(file, sealer);
  if (stored !== null && (await findLiveToken(db, stored)) !== null) return stored;
  const { token } = await createToken(db, { name: SERVICE_TOKEN_NAME, role: 'create', expiresAt: null });
  await mkdir(dataDir, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, sealer.seal(token), { mode: 0o600 });
  await rename(unfinished, file);
  return token;
}

async function readSealed(file: string, sealer: Sealer): Promise<string | null> {
  try {
    return sealer.unseal((await readFile(file, 'utf8')).trim());
  } catch {
    // Absent, or sealed with a lost key: either way a new one replaces it.
    return null;
  }
}
