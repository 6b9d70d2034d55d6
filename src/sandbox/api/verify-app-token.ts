import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import type { RegisteredApp } from '../forge-context.ts';
import { ApiError } from './api-error.ts';

/** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
const MAX_LIFE_SECONDS = 600;

/** Verifies an App's JWT: RS256 with the App's key, issued by it, not in the future, and for ten minutes at most. Throws a 401. */
export async function verifyAppToken(token: string, app: RegisteredApp, now: Date): Promise<void> {
  let claims: Awaited<ReturnType<typeof jwtVerify>>['payload'];
  try {
    const key = createPublicKey(app.publicKeyPem);
    claims = (
      await jwtVerify(token, key, {
        algorithms: ['RS256'],
        currentDate: now,
        requiredClaims: ['exp', 'iat', 'iss'],
      })
    ).payload;
  } catch {
    throw new ApiError(401, 'A JSON web token could not be decoded');
  }
  const seconds = Math.floor(now.getTime() / 1000);
  if ((claims.exp ?? 0) - seconds > MAX_LIFE_SECONDS) {
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
  if ((claims.iat ?? 0) > seconds) {
    throw new ApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (String(claims.iss) !== String(app.id) && claims.iss !== `Iv1.${app.id}`) {
    throw new ApiError(401, "'Issuer' claim ('iss') must be an Integer");
  }
}
