import {
  type AuditActor,
  type Db,
  findOrganization,
  listTokenRows,
  recordAudit,
  revokeWithMade,
  type TokenRow,
} from '../../store/index.ts';

export { createToken, type NewToken, OperatorRemoved, UnknownOrganization } from './create-token.ts';

const LIST_PAGE = 1_000;

/** The tokens' names and dates, oldest first. */
export async function* listTokens(db: Db): AsyncIterable<TokenRow> {
  for (let after: TokenRow | null = null; ; ) {
    const rows: readonly TokenRow[] = await listTokenRows(db, { after, limit: LIST_PAGE });
    yield* rows;
    if (rows.length < LIST_PAGE) return;
    after = rows.at(-1) ?? null;
  }
}

/**
 * Revokes a token at once, with those that were made with it. Returns false if there is none with this id. With `actor`, it is recorded in the log of the
 * token's organization, or of the first one for a token that opens all.
 */
export async function revokeToken(db: Db, id: string, actor?: AuditActor): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const revoked = await revokeWithMade(tx, id);
    for (const token of revoked) {
      if (actor === undefined) break;
      await recordAudit(tx, {
        organizationId: token.organizationId ?? (await findOrganization(tx, null))?.id ?? null,
        action: 'token.revoke',
        actor,
        target: { kind: 'token', id: token.id, name: token.name },
      });
    }
    return revoked.length > 0;
  });
}
