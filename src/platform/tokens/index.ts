import { type Db, listTokenRows, markTokenRevoked, type TokenRow } from '../../store/index.ts';

export { createToken, type NewToken, UnknownOrganization } from './create-token.ts';

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

/** Revokes a token at once. Returns false if there is none with this id. */
export async function revokeToken(db: Db, id: string): Promise<boolean> {
  return await markTokenRevoked(db, id);
}
