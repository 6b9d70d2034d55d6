import { errors, type JWTPayload, jwtVerify } from 'jose';

/** The longest that a token may be valid, and how long a retired key is accepted. In seconds. */
export const MAX_TOKEN_SECONDS = 24 * 60 * 60;

/** How far the clocks of two servers may differ. In seconds. */
const CLOCK_TOLERANCE = 60;

/** In characters; cookies have 4 KB. */
const MAX_TOKEN_LENGTH = 3_500;

/** Claims of a token that say nothing about the visitor (RFC 7519, section 4.1). */
const REGISTERED = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'unsigned']);

export type VisitorToken =
  | { readonly claims: Readonly<Record<string, unknown>>; readonly expiresAt: Date }
  /** One sentence for the visitor, and for who set the sign-in up. */
  | { readonly refusal: string };

/**
 * Checks the token with which a backend tells who a visitor is: a JWT, signed by HS256 with one of the site's keys, that
 * expires within a day. One that names an audience must name this site.
 */
export async function verifyVisitorToken(
  token: string,
  expected: { readonly keys: readonly string[]; readonly audiences: readonly string[]; readonly now: Date },
): Promise<VisitorToken> {
  if (token.length > MAX_TOKEN_LENGTH) {
    return { refusal: `The sign-in token is longer than ${MAX_TOKEN_LENGTH} characters.` };
  }
  let refusal = 'The site has no key that could have signed the sign-in token.';
  for (const key of expected.keys) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(key), {
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: expected.now,
      });
      return checkPayload(payload, expected);
    } catch (error) {
      refusal = describeRefusal(error);
      // Another key may have signed it, but no key makes another token of it.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  return { refusal };
}

function checkPayload(
  { exp = 0, aud, ...payload }: JWTPayload,
  { audiences, now }: { readonly audiences: readonly string[]; readonly now: Date },
): VisitorToken {
  if (exp - now.getTime() / 1000 > MAX_TOKEN_SECONDS + CLOCK_TOLERANCE) {
    return { refusal: 'The sign-in token is valid for longer than 24 hours; give it an earlier “exp”.' };
  }
  if (aud !== undefined && ![aud].flat().some((audience) => audiences.includes(audience))) {
    return { refusal: 'The sign-in token is meant for another site (“aud”).' };
  }
  const claims = Object.fromEntries(Object.entries(payload).filter(([name]) => !REGISTERED.has(name)));
  return { claims, expiresAt: new Date(exp * 1000) };
}

function describeRefusal(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The sign-in token has expired.';
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'The sign-in token was not signed with the key of this site.';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The sign-in token is signed by another algorithm than HS256.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf'
      ? 'The sign-in token is not valid yet (“nbf”).'
      : `The sign-in token has no valid “${error.claim}”.`;
  }
  if (error instanceof errors.JOSEError) return 'The sign-in token is not a signed JWT.';
  throw error;
}
