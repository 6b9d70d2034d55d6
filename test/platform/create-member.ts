import { hashToken, newTokenText } from '../../src/identity/index.ts';
import { newId } from '../../src/store/index.ts';
import { ensureMember, ensureUser } from '../../src/store/organizations.ts';
import { insertToken } from '../../src/store/tokens.ts';
import type { TestPlatform } from './start-platform.ts';

export interface TestMember {
  readonly userId: string;
  readonly token: string;
}

/** A user with a token, and a member of the first organization unless they are a stranger to it. */
export async function createMember(
  { deps, organizationId }: Pick<TestPlatform, 'deps' | 'organizationId'>,
  name: string,
  options: {
    /** Null: a guest. Undefined: a stranger. */
    readonly role?: string | null | undefined;
    /** The role of the token, where it is less. */
    readonly limit?: string;
  },
): Promise<TestMember> {
  const { db } = deps;
  const token = newTokenText();
  const { id: userId } = await ensureUser(db, {
    id: newId(),
    displayName: name,
    email: `${newId().toLowerCase()}@example.com`,
  });
  if (options.role !== undefined) await ensureMember(db, { organizationId, userId, role: options.role });
  await insertToken(db, {
    id: newId(),
    userId,
    name,
    hash: hashToken(token),
    organizationId: null,
    role: options.limit ?? null,
    createdBy: 'user',
    expiresAt: new Date(Date.now() + 24 * 60 * 60 * 1000),
  });
  return { userId, token };
}
