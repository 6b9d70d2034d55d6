import type { Session } from '../../identity/index.ts';

/** Ways to sign in by which people showed that the account is theirs: a token or a provider only speaks for them. */
const OWN: ReadonlySet<string> = new Set(['password', 'mail', 'set-up', 'github']);

/** Whether a session may change its user's account: name, password, linked accounts. */
export function mayChangeAccount({ userId, provider }: Pick<Session, 'userId' | 'provider'>): boolean {
  return userId !== null && OWN.has(provider);
}
