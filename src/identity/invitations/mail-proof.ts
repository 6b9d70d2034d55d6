import { randomBytes } from 'node:crypto';
import { type Db, insertAddressProof } from '../../store/index.ts';
import { hashToken } from '../token-text.ts';

/** The address of the page of an invitation. */
export function inviteAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}/invite/${secret}`;
}

/**
 * The address of an invitation for a mail, which besides proves that its reader gets mail at `email`. It must go nowhere
 * else: who makes an invitation knows its own address, so that one proves nothing.
 */
export async function inviteAddressInMail(
  tx: Db,
  {
    publicUrl,
    secret,
    ...proof
  }: {
    readonly publicUrl: string;
    readonly secret: string;
    readonly email: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  await insertAddressProof(tx, { ...proof, hash: hashToken(key) });
  return `${inviteAddress(publicUrl, secret)}?key=${key}`;
}
