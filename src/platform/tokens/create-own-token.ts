import type { NewApiToken, Role } from '../../contract/index.ts';
import { hashToken, newTokenText, tokenPrefix } from '../../identity/index.ts';
import {
  countLiveTokens,
  type Database,
  insertToken,
  loadApiToken,
  lockCredentials,
  lockLiveToken,
  recordAudit,
  SERVICE_TOKEN_NAME,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ssoRequired } from '../access/require-role.ts';
import { allows, type EffectiveRole, higherOf } from '../access/roles.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import { parseMoment } from '../api/parse-moment.ts';
import { inOneYear, newTokenId } from './create-token.ts';
import { presentToken } from './present-token.ts';

/** The most live tokens of a user. */
const MAX_TOKENS = 100;

interface TokenRequest {
  readonly name: string;
  /** Null for a token that is not for the API. */
  readonly role: Role | null;
  readonly scope: 'api' | 'scim';
  readonly expiresAt: string;
  readonly organizationId: string | null;
}

/** Creates a token of the caller, who may do all that it may. */
export async function createOwnToken(
  db: Database,
  caller: Caller,
  request: TokenRequest,
): Promise<NewApiToken> {
  const expiresAt = readExpiry(caller, request.expiresAt);
  const { name, role, scope, organizationId } = request;
  const { ssoOrganizationId, ssoProviderId } = caller.credentials;
  const madeWith = caller.actor.tokenId ?? null;
  // It would count as the server itself.
  if (name === SERVICE_TOKEN_NAME || name.startsWith(`${SERVICE_TOKEN_NAME}:`))
    throw invalid('/body/name', `must not begin like the server’s own tokens, ${SERVICE_TOKEN_NAME}`);
  if (role !== null) requireOwnRole(caller, organizationId, role);
  const token = newTokenText();
  const id = newTokenId();
  const row = await db.transaction(async (tx) => {
    // The provider may be removed, or become another, at this moment, which ends what passed it.
    if (ssoProviderId !== null && !(await lockCredentials(tx, ssoProviderId, caller.actor)))
      throw ssoRequired();
    // It may be revoked at this moment, which revokes what was made with it.
    if (madeWith !== null && !(await lockLiveToken(tx, madeWith)))
      throw new ApiError('token-unknown', 'The token with which you call was revoked.');
    if ((await countLiveTokens(tx, caller.user.id)) >= MAX_TOKENS) {
      throw new ApiError(
        'limit-reached',
        `You have ${MAX_TOKENS} tokens already; revoke one that nobody needs.`,
      );
    }
    await insertToken(tx, {
      id,
      userId: caller.user.id,
      name,
      hash: hashToken(token),
      prefix: tokenPrefix(token),
      scope,
      organizationId,
      role,
      expiresAt,
      createdBy: 'user',
      ssoOrganizationId,
      ssoProviderId,
      madeWith,
    });
    const created = await loadApiToken(tx, id);
    if (created === null) throw new Error(`Token ${id} was just created but does not exist.`);
    await recordAudit(tx, {
      organizationId,
      action: 'token.create',
      actor: caller.actor,
      target: { kind: 'token', id, name },
      after: { role, scope, expiresAt, organization: organizationId },
    });
    return created;
  });
  return { ...presentToken(row, caller.actor.tokenId), token };
}

function readExpiry({ credentials }: Caller, text: string): Date {
  const expiresAt = parseMoment(text);
  if (expiresAt === null) throw invalid('/body/expiresAt', 'is not a date that exists');
  if (expiresAt <= new Date()) throw invalid('/body/expiresAt', 'must be in the future');
  if (expiresAt > inOneYear()) throw invalid('/body/expiresAt', 'must be at most a year ahead');
  if (credentials.expiresAt !== null && expiresAt > credentials.expiresAt) {
    throw new ApiError(
      'beyond-own-rights',
      `The token with which you call expires at ${credentials.expiresAt.toISOString()}, so a new one must not expire later.`,
    );
  }
  return expiresAt;
}

/** Whoever has no role anywhere may still read what is shared with them. */
function requireOwnRole(caller: Caller, organizationId: string | null, role: Role): void {
  const own =
    organizationId === null
      ? caller.organizationIds.map((id) => caller.roleIn(id)).reduce<EffectiveRole>(higherOf, 'none')
      : caller.roleIn(organizationId);
  if (allows(own, role) || role === 'read') return;
  throw new ApiError(
    'beyond-own-rights',
    `Your role is ${own}, so a token of yours cannot have the role ${role}.`,
  );
}
