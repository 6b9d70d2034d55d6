import { createHash, randomBytes } from 'node:crypto';
import { type ForgeContext, type PendingAuthorization, timestamp } from '../forge-context.ts';
import { issueToken } from './accounts.ts';

/** GitHub's own limits: a code is valid for ten minutes, and a user's token for eight hours. */
const CODE_MS = 10 * 60_000;
const TOKEN_MS = 8 * 60 * 60_000;

/** Returns a code that the App exchanges once. */
export function beginAuthorization(
  { pendingAuthorizations, now }: ForgeContext,
  authorization: Omit<PendingAuthorization, 'until'>,
): string {
  const code = randomBytes(10).toString('hex');
  const at = now().getTime();
  for (const [old, { until }] of pendingAuthorizations) if (until <= at) pendingAuthorizations.delete(old);
  pendingAuthorizations.set(code, { ...authorization, until: at + CODE_MS });
  return code;
}

/** The body of GitHub's answer, which has the status 200 also when it is a refusal. */
export function exchangeAuthorization(context: ForgeContext, form: URLSearchParams): object {
  const { app, pendingAuthorizations } = context;
  const text = (name: string) => form.get(name) ?? '';
  if (
    app === null ||
    text('client_id') !== `Iv1.${app.id}` ||
    app.clientSecretHash === '' ||
    sha256('hex', text('client_secret')) !== app.clientSecretHash
  )
    return refuse('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.');
  const pending = pendingAuthorizations.get(text('code'));
  pendingAuthorizations.delete(text('code'));
  const isValid =
    pending !== undefined &&
    pending.until > context.now().getTime() &&
    (pending.challenge === null || sha256('base64url', text('code_verifier')) === pending.challenge);
  if (!isValid) return refuse('bad_verification_code', 'The code passed is incorrect or expired.');
  if (text('redirect_uri') !== pending.redirectUri)
    return refuse('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL.');
  const token = issueToken(context, 'ghu_', {
    accountId: pending.accountId,
    installationId: null,
    repositoryIds: null,
    permissions: app.permissions,
    expiresAt: timestamp(new Date(context.now().getTime() + TOKEN_MS)),
  });
  return { access_token: token, expires_in: TOKEN_MS / 1000, token_type: 'bearer', scope: '' };
}

function refuse(error: string, description: string): object {
  return { error, error_description: description };
}

/** The only form in which the forge stores a client's secret. */
export function hashSecret(secret: string): string {
  return sha256('hex', secret);
}

function sha256(encoding: 'hex' | 'base64url', text: string): string {
  return createHash('sha256').update(text).digest(encoding);
}
