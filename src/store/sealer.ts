import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { newId } from './new-id.ts';

/** Encrypts what the database must not contain in plain text, such as tokens: AES-256-GCM (NIST SP 800-38D). */
export interface Sealer {
  /** Names the key without revealing it: 8 hexadecimal digits. */
  readonly keyId: string;
  /** Returns a text of letters, digits, `-`, `_` and `.`, which is different each time. */
  seal(text: string): string;
  /** @throws Error when the text was sealed with another key, or is damaged. */
  unseal(sealed: string): string;
}

export interface SealerOptions {
  /** The value of SECRET_KEY, at least 32 characters. Without it the key is stored in a file of the data folder. */
  readonly secretKey?: string | undefined;
  readonly dataDir: string;
}

const version = 'v1';
const ivBytes = 12;
const tagBytes = 16;
const keyFile = 'secret.key';

/**
 * Reads the key from SECRET_KEY or from the file `secret.key` in the data folder, which is created, readable by its owner
 * only, when there is neither. Without the key the sealed texts are lost.
 */
export function openSealer({ secretKey, dataDir }: SealerOptions): Sealer {
  if (secretKey !== undefined && secretKey.length < 32) {
    throw new Error(
      'SECRET_KEY is too short: set it to at least 32 random characters ("openssl rand -base64 32").',
    );
  }
  const secret = secretKey ?? readOrMakeKey(dataDir);
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'docloom sealer', 32));
  const keyId = createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
  const header = `${version}.${keyId}`;

  return {
    keyId,

    seal(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(
        Buffer.from(header),
      );
      const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${header}.${Buffer.concat(parts).toString('base64url')}`;
    },

    unseal(sealed) {
      const [, sealedBy, body] = /^v1\.([0-9a-f]{8})\.([\w-]+)$/.exec(sealed) ?? [];
      const bytes = Buffer.from(body ?? '', 'base64url');
      if (sealedBy === undefined || bytes.length < ivBytes + tagBytes) {
        throw new Error('A sealed text of the database is damaged.');
      }
      if (sealedBy !== keyId) {
        throw new Error(
          `A sealed text of the database was sealed with key ${sealedBy}, and the key in use is ${keyId}: ` +
            `bring back the SECRET_KEY, or the file ${keyFile} of the data folder, that it was sealed with.`,
        );
      }
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(header))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = decipher.update(bytes.subarray(ivBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new Error('A sealed text of the database is damaged.');
      }
    },
  };
}

/** The text; null when it was sealed with a key that is lost, or is damaged. */
export function tryUnseal(sealer: Sealer, sealed: string): string | null {
  try {
    return sealer.unseal(sealed);
  } catch {
    return null;
  }
}

/** Of several processes that find no key, the first to link its draft wins, and the others read that key. */
function readOrMakeKey(dataDir: string): string {
  const path = join(dataDir, keyFile);
  const found = readKey(path);
  if (found !== undefined) return found;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${newId()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${randomBytes(32).toString('base64url')}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
  return readKey(path) as string;
}

function readKey(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text.length < 32) throw new Error(`The key in ${path} is damaged: bring the file back from a backup.`);
  return text;
}
