import { storableText } from '../storable-text.ts';
import type { Transcript } from './transcript.ts';

/** What a provider of OpenID Connect says, for somebody who sets it up: nothing in it was checked. */
export interface DescribedClaims {
  /** How its description calls the provider. */
  readonly issuer: string | null;
  /** The code of its own error, and what it says about it. */
  readonly error: string | null;
  readonly errorDescription: string | null;
  /** Of the ID token's signature. */
  readonly algorithm: string | null;
  readonly keyId: string | null;
  /** Of the ID token; null when there is none that can be read. */
  readonly claims: readonly DescribedClaim[] | null;
  /** Null when it was not asked. */
  readonly userinfo: readonly DescribedClaim[] | null;
}

export interface DescribedClaim {
  readonly name: string;
  readonly value: string;
}

const MOST_CLAIMS = 100;
/** In characters, of one value. */
const LONGEST = 500;
const HIDDEN = '(not shown)';

/** Claims that say something about the request and the tokens, nothing about a person. */
const OF_REQUEST = new Set(['nonce', 'at_hash', 'c_hash', 's_hash']);
/** Claims that are seconds since 1970. */
const TIMES = new Set(['auth_time', 'exp', 'iat', 'nbf', 'updated_at']);
/** A token that somebody put into a claim or a message. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\./;

/** @param secrets what must not be shown, wherever it is repeated */
export function describeClaims(
  transcript: Transcript,
  query: URLSearchParams,
  secrets: readonly (string | null)[],
): DescribedClaims {
  const token = objectOf(transcript.token);
  const hidden = [
    ...secrets,
    ...['code', 'state', 'access_token', 'id_token'].map((name) => query.get(name)),
    ...['access_token', 'refresh_token', 'id_token'].map((name) => token?.[name]),
  ].filter((text): text is string => typeof text === 'string' && text !== '');
  const show = (value: unknown) => shown(value, hidden);
  const describe = (claims: Record<string, unknown>) =>
    Object.entries(claims)
      .filter(([name]) => !OF_REQUEST.has(name))
      .slice(0, MOST_CLAIMS)
      .map(([name, value]) => ({
        name: show(name) ?? '',
        value: show(TIMES.has(name) ? readable(value) : value) ?? '',
      }));
  const [header = null, claims = null] = partsOf(token?.['id_token']);
  const userinfo = objectOf(transcript.userinfo);
  return {
    issuer: show(objectOf(transcript.description)?.['issuer']),
    error: show(query.get('error') ?? token?.['error']),
    errorDescription: show(query.get('error_description') ?? token?.['error_description']),
    algorithm: show(header?.['alg']),
    keyId: show(header?.['kid']),
    claims: claims && describe(claims),
    userinfo: userinfo && describe(userinfo),
  };
}

function shown(value: unknown, hidden: readonly string[]): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isHidden = hidden.some(
    (secret) =>
      text === secret ||
      // A shorter one is in many words.
      (secret.length >= 8 && [secret, encodeURIComponent(secret)].some((one) => text.includes(one))),
  );
  return isHidden || TOKEN.test(text) ? HIDDEN : storableText(text.slice(0, LONGEST));
}

/** A time with its date, for comparing clocks. */
function readable(seconds: unknown): unknown {
  const date = typeof seconds === 'number' ? new Date(seconds * 1000) : null;
  return date === null || Number.isNaN(date.getTime()) ? seconds : `${seconds} (${date.toISOString()})`;
}

/** The header and the claims of a token, as far as they can be read. */
function partsOf(token: unknown): readonly (Record<string, unknown> | null)[] {
  if (typeof token !== 'string') return [];
  return token.split('.', 2).map((part) => objectOf(Buffer.from(part, 'base64url').toString()));
}

function objectOf(json: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
