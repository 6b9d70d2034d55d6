/** The credentials of the sandbox's App and its user. Generated once and stored in the data folder, readable by its owner only. */
import { generateKeyPair, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../command.ts';

export interface SandboxApp {
  readonly appId: number;
  readonly slug: string;
  readonly publicKeyPem: string;
  readonly webhookSecret: string;
}

export interface SandboxCredentials extends SandboxApp {
  /** Contains the App's private key. */
  readonly privateKeyPath: string;
}

/** Loads the credentials of a data folder, generated at the first start. Throws `UsageError` for a damaged file. */
export async function loadCredentials(dataDir: string): Promise<SandboxCredentials> {
  const file = join(dataDir, 'app.json');
  const privateKeyPath = join(dataDir, 'app.pem');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) return { ...parseCredentials(text, file), privateKeyPath };
  const keys = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const made: SandboxApp = {
    appId: 1,
    slug: 'docloom',
    publicKeyPem: keys.publicKey,
    webhookSecret: randomBytes(24).toString('hex'),
  };
  await mkdir(dataDir, { recursive: true });
  await writePrivate(privateKeyPath, keys.privateKey);
  await writePrivate(file, JSON.stringify(made, null, 2));
  return { ...made, privateKeyPath };
}

function parseCredentials(text: string, file: string): SandboxApp {
  try {
    const { appId, slug, publicKeyPem, webhookSecret } = JSON.parse(text) as Partial<SandboxApp>;
    if (appId && slug && publicKeyPem && webhookSecret) return { appId, slug, publicKeyPem, webhookSecret };
  } catch {
    // The message below says what to do, however the file is damaged.
  }
  throw new UsageError(`${file} is damaged. Remove its folder to start with a new sandbox.`);
}

/** Writes a file that only its owner may read. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
}
