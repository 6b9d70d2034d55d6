import { openSealedCookie, type SealedCookie, type SealedCookieOptions } from './sealed-cookie.ts';

/** The signed-in user. The browser has the token only in encrypted form. */
export interface Session {
  readonly token: string;
  /** Cut to 200 characters. */
  readonly displayName: string;
}

export type Sessions = SealedCookie<Session>;

/** People sign in again after 30 days. */
export function openSessions(options: Pick<SealedCookieOptions, 'sealer' | 'publicUrl' | 'now'>): Sessions {
  const cookie = openSealedCookie<Session>({
    ...options,
    name: 'docloom',
    kind: 'session',
    lifetimeSeconds: 30 * 24 * 60 * 60,
  });
  return {
    ...cookie,
    write: (reply, { token, displayName }) =>
      cookie.write(reply, { token, displayName: displayName.slice(0, 200) }),
  };
}
