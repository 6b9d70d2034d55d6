import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import PQueue from 'p-queue';

/**
 * The cost of one hash: 32 MiB and about 0.2 s. One of the equivalent settings for scrypt of OWASP
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt), with little memory.
 */
const OWASP_COST: PasswordCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes at once in one process, so that they take at most 64 MiB; libuv computes them outside of the event loop. */
const AT_ONCE = 2;
/** Hashes that wait; more would wait longer than people do. */
const MAX_WAITING = 50;

/** Of one hash with scrypt (RFC 7914). */
export interface PasswordCost {
  /** Binary logarithm of the number of blocks. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** So many people sign in with passwords at this moment that one more would wait too long. */
export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns';

  constructor() {
    super('Many people are signing in at this moment. Try again in a few seconds.');
  }
}

const queue = new PQueue({ concurrency: AT_ONCE });

/** A password as it is stored: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. @throws {TooManySignIns} */
export async function hashPassword(password: string, cost = OWASP_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return formatHash(cost, salt, await derive(password, salt, cost, HASH_BYTES));
}

/**
 * Whether a password is the stored one, and whether it should be stored anew because the cost of new hashes has changed.
 * Without a stored one (an unknown account) the answer is no, after the same time. @throws {TooManySignIns}
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  newCost = OWASP_COST,
): Promise<{ readonly isRight: boolean; readonly isOutdated: boolean }> {
  const parsed = stored === null ? null : parseHash(stored);
  const { cost, salt, hash } = parsed ?? { ...NOBODYS, cost: newCost };
  const actual = await derive(password, salt, cost, hash.length);
  const isRight = timingSafeEqual(actual, hash) && parsed !== null;
  return { isRight, isOutdated: cost.ln !== newCost.ln || cost.r !== newCost.r || cost.p !== newCost.p };
}

/** Compared with for accounts that do not exist. */
const NOBODYS = { salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

async function derive(
  password: string,
  salt: Buffer,
  { ln, r, p }: PasswordCost,
  bytes: number,
): Promise<Buffer> {
  if (queue.size >= MAX_WAITING) throw new TooManySignIns();
  const N = 2 ** ln;
  return await queue.add(
    () =>
      new Promise<Buffer>((resolve, reject) =>
        // Keyboards write the same letter in different ways (NIST SP 800-63B-4, section 3.1.1.2).
        scrypt(
          password.normalize('NFKC'),
          salt,
          bytes,
          { N, r, p, maxmem: 128 * r * (N + p + 2) },
          (error, key) => (error === null ? resolve(key) : reject(error)),
        ),
      ),
  );
}

/** The PHC string format (https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md). */
function formatHash({ ln, r, p }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`;
}

function parseHash(
  text: string,
): { readonly cost: PasswordCost; readonly salt: Buffer; readonly hash: Buffer } | null {
  const [, ln, r, p, salt, hash] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return null;
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
