import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { AddressRefusedError, FetchError } from '../../net/index.ts';
import { OidcRefusal, type OidcRefusalReason } from './refusal.ts';

/** Claims that an ID token may have wrong, with the reason. */
const CLAIMS: Readonly<Record<string, OidcRefusalReason>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  exp: 'expired',
  nbf: 'early',
};

/** The refusal that an error of the library means; any other error is returned as it is. */
export function explainFailure(error: unknown, otherwise: OidcRefusalReason = 'malformed'): unknown {
  if (error instanceof OidcRefusal) return error;
  const chain = causesOf(error);
  const unreachable = chain.find(
    (cause): cause is Error => cause instanceof FetchError || cause instanceof AddressRefusedError,
  );
  if (unreachable !== undefined)
    return new OidcRefusal('unreachable', { cause: error, detail: unreachable.message });
  if (error instanceof AuthorizationResponseError)
    return new OidcRefusal('denied', { cause: error, detail: codeOf(error.error) });
  if (error instanceof ResponseBodyError)
    return new OidcRefusal(
      error.error === 'invalid_client' || error.status === 401 ? 'client' : 'token-refused',
      { cause: error, detail: codeOf(error.error) },
    );
  if (!(error instanceof ClientError)) return isOfLibrary(error) ? refuse(otherwise, error) : error;
  if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && textOf(chain, 'attribute') === 'issuer')
    return new OidcRefusal('other-issuer', { cause: error, detail: namedIssuer(chain) });
  return refuse(reasonOf(error.code, chain) ?? otherwise, error);
}

function refuse(reason: OidcRefusalReason, cause: unknown): OidcRefusal {
  return new OidcRefusal(reason, { cause });
}

function reasonOf(code: string | undefined, chain: readonly unknown[]): OidcRefusalReason | null {
  const claim = textOf(chain, 'claim');
  const messages = chain.map((cause) => (cause instanceof Error ? cause.message : '')).join('\n');
  switch (code) {
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return CLAIMS[claim ?? ''] ?? 'malformed';
    case 'OAUTH_KEY_SELECTION_FAILED':
      return 'signature';
    case 'OAUTH_UNSUPPORTED_OPERATION':
      return 'algorithm';
    case 'OAUTH_TIMEOUT':
      return 'unreachable';
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return 'client';
    case 'OAUTH_INVALID_RESPONSE':
      if (messages.includes('signature verification')) return 'signature';
      if (messages.includes('"alg"')) return 'algorithm';
      if (messages.includes('"iss"')) return 'issuer';
      if (messages.includes('"nonce"')) return 'nonce';
      if (messages.includes('"sub"')) return 'subject';
      if (messages.includes('"id_token"')) return 'no-id-token';
      return null;
    default:
      return null;
  }
}

/** Errors that the library throws for what a provider sent are of few classes; `TypeError` is one. */
function isOfLibrary(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error instanceof TypeError);
}

function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause != null && chain.length < 10; cause = (cause as Error).cause) {
    if (typeof cause !== 'object') break;
    chain.push(cause);
  }
  return chain;
}

function textOf(chain: readonly unknown[], field: string): string | null {
  for (const cause of chain) {
    const value = (cause as Record<string, unknown>)[field];
    if (typeof value === 'string') return value;
  }
  return null;
}

/** What the description of a provider calls it. */
function namedIssuer(chain: readonly unknown[]): string | undefined {
  for (const cause of chain) {
    const { body } = cause as { readonly body?: { readonly issuer?: unknown } };
    if (typeof body?.issuer === 'string') return body.issuer.slice(0, 200);
  }
  return undefined;
}

/** An error code of OAuth 2.0, as far as it is one. */
function codeOf(text: string): string | undefined {
  return /^[a-z_]{1,60}$/.test(text) ? text : undefined;
}
