import { findToken } from '../actions/accounts.ts';
import type { ForgeContext } from '../forge-context.ts';
import { accountById, installedRepositories } from '../state/find-records.ts';
import type {
  AccountRecord,
  ActiveApp,
  GrantedLevel,
  InstallationRecord,
  Permissions,
  RepositoryRecord,
} from '../state/records.ts';
import { badCredentials } from './api-error.ts';
import { verifyAppToken } from './verify-app-token.ts';

/** The caller of a request. `key` names it in rate limits. */
export type ForgeCaller =
  | { readonly kind: 'anonymous'; readonly key: string }
  | { readonly kind: 'app'; readonly key: string; readonly app: ActiveApp }
  | { readonly kind: 'user'; readonly key: string; readonly account: AccountRecord }
  | {
      readonly kind: 'installation';
      readonly key: string;
      readonly app: ActiveApp;
      readonly installation: InstallationRecord;
      readonly permissions: Permissions;
      readonly repositoryIds: readonly number[] | null;
    };

/** The secret of an `Authorization` header: `Bearer`, `token`, or the password of `Basic`. Null when there is no header. */
export function readCredential(header: string | undefined): string | null {
  if (!header) return null;
  const [scheme = '', value = ''] = header.trim().split(/\s+/, 2);
  if (/^(bearer|token)$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) throw badCredentials();
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const [user, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  // The token may also be the user name.
  return password === '' || password === 'x-oauth-basic' ? user : password;
}

/** The caller with this secret. Throws a 401 for a secret that is unknown, malformed or expired. */
export async function identifyCaller(context: ForgeContext, secret: string | null): Promise<ForgeCaller> {
  if (secret === null) return { kind: 'anonymous', key: 'anonymous' };
  if (secret.split('.').length === 3) {
    if (!context.app) throw badCredentials();
    await verifyAppToken(secret, context.app, context.now());
    return { kind: 'app', key: 'app', app: context.app };
  }
  const token = findToken(context, secret);
  if (!token) throw badCredentials();
  if (token.accountId !== null) {
    return {
      kind: 'user',
      key: `user ${token.accountId}`,
      account: accountById(context.data, token.accountId),
    };
  }
  const installation = context.data.installations.find((candidate) => candidate.id === token.installationId);
  if (!installation || !context.app) throw badCredentials();
  return {
    kind: 'installation',
    key: `installation ${installation.id}`,
    app: context.app,
    installation,
    permissions: token.permissions,
    repositoryIds: token.repositoryIds,
  };
}

/** The account that a caller acts as: its own, or the App's bot. */
export function actingAccount(caller: ForgeCaller): AccountRecord | null {
  if (caller.kind === 'user') return caller.account;
  return caller.kind === 'anonymous' ? null : caller.app.bot;
}

/** Whether an installation's token covers a repository. */
export function covers(
  context: ForgeContext,
  caller: ForgeCaller & { kind: 'installation' },
  repository: RepositoryRecord,
): boolean {
  return (
    installedRepositories(context.data, caller.installation).includes(repository) &&
    (caller.repositoryIds === null || caller.repositoryIds.includes(repository.id))
  );
}

/** Whether a caller may know that a repository exists. */
export function canSee(context: ForgeContext, caller: ForgeCaller, repository: RepositoryRecord): boolean {
  if (!repository.private) return true;
  if (caller.kind === 'user') return hasWrite(caller.account, repository);
  return caller.kind === 'installation' && covers(context, caller, repository);
}

/** Whether a caller has a permission on a repository. Everyone may read public repositories. */
export function mayUse(
  context: ForgeContext,
  caller: ForgeCaller,
  repository: RepositoryRecord,
  permission: string,
  level: GrantedLevel,
): boolean {
  if (!repository.private && level === 'read') return true;
  if (caller.kind === 'user') return hasWrite(caller.account, repository);
  if (caller.kind !== 'installation' || !covers(context, caller, repository)) return false;
  const granted = caller.permissions[permission];
  return granted === 'write' || (granted === 'read' && level === 'read');
}

function hasWrite(account: AccountRecord, repository: RepositoryRecord): boolean {
  return repository.ownerId === account.id || repository.collaboratorIds.includes(account.id);
}
