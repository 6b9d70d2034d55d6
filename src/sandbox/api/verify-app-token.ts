import { createPublicKey } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { ActiveApp } from '../state/records.ts';
import { ForgeApiError } from './api-error.ts';

/** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
const MAX_LIFE_SECONDS = 600;

/** Verifies an App's JWT: RS256 with one of the App's keys, issued by it, not in the future, and for ten minutes at most. Throws a 401. */
export async function verifyAppToken(token: string, app: ActiveApp, now: Date): Promise<void> {
  const claims = await readClaims(token, [app.publicKeyPem, ...app.laterKeys], now);
  const seconds = Math.floor(now.getTime() / 1000);
  if ((claims.exp ?? 0) - seconds > MAX_LIFE_SECONDS) {
    throw new ForgeApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
  if ((claims.iat ?? 0) > seconds) {
    throw new ForgeApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (String(claims.iss) !== String(app.id) && claims.iss !== `Iv1.${app.id}`) {
    throw new ForgeApiError(401, "'Issuer' claim ('iss') must be an Integer");
  }
}

async function readClaims(token: string, publicKeys: readonly string[], now: Date): Promise<JWTPayload> {
  for (const pem of publicKeys) {
    try {
      const { payload } = await jwtVerify(token, createPublicKey(pem), {
        algorithms: ['RS256'],
        currentDate: now,
        requiredClaims: ['exp', 'iat', 'iss'],
      });
      return payload;
    } catch {
      // Signed with another key, or with none.
    }
  }
  throw new ForgeApiError(401, 'A JSON web token could not be decoded');
}
