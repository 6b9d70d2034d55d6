import type { Role } from '../../contract/index.ts';
import { hashToken, newTokenText, tokenPrefix } from '../../identity/index.ts';
import {
  type AuditActor,
  type Database,
  ensureUser,
  findOrganization,
  insertOrganization,
  insertToken,
  loadMember,
  newId,
  recordAudit,
} from '../../store/index.ts';

export interface NewToken {
  readonly id: string;
  /** Shown only once: only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date | null;
  readonly organization: { readonly id: string; readonly title: string };
}

/** No organization has the requested id or title. */
export class UnknownOrganization extends Error {
  override readonly name = 'UnknownOrganization';
}

/** The server's operator is no member of the organization: whoever was removed stays removed. */
export class OperatorRemoved extends Error {
  override readonly name = 'OperatorRemoved';
}

const operator = { displayName: 'Operator', email: 'operator@localhost' };
const firstOrganization = 'Documentation';

/**
 * Creates a token. With `organization` (an id or a title) it gives access to that organization only; without, to all
 * organizations of the operator. If there is no organization or user yet, the first ones are created. An operator who is no
 * member of the organization does not become one.
 *
 * @throws {OperatorRemoved} with `mustOpen`, when the operator is no member of the organization
 */
export async function createToken(
  db: Database,
  options: {
    readonly name: string;
    readonly organization?: string | undefined;
    readonly role: Role;
    /** In a year when absent; null never, which is for the server's own token only. */
    readonly expiresAt?: Date | null;
    /** Who makes it, for the audit log; without it, what the server makes for itself is not recorded. */
    readonly actor?: AuditActor;
    /** Makes no token that would open nothing. */
    readonly mustOpen?: true;
  },
): Promise<NewToken> {
  const token = newTokenText();
  const expiresAt = options.expiresAt === undefined ? inOneYear() : options.expiresAt;
  return await db.transaction(async (tx) => {
    // The user's row is the lock: of two first tokens created at once, the second sees the organization of the first.
    const user = await ensureUser(tx, { id: newId(), ...operator });
    const found = await findOrganization(tx, options.organization ?? null);
    if (!found && options.organization !== undefined) {
      throw new UnknownOrganization(
        `There is no organization with the id or title ${JSON.stringify(options.organization)}.`,
      );
    }
    const organization =
      found ?? (await insertOrganization(tx, { id: newId(), title: firstOrganization, adminId: user.id }));
    if (options.mustOpen === true && (await loadMember(tx, organization.id, user.id)) === null)
      throw new OperatorRemoved(
        `${operator.displayName} is not a member of ${organization.title}, so a token would open nothing: ask an administrator of it to make one.`,
      );
    const id = newTokenId();
    await insertToken(tx, {
      id,
      userId: user.id,
      name: options.name,
      hash: hashToken(token),
      prefix: tokenPrefix(token),
      organizationId: options.organization === undefined ? null : organization.id,
      role: options.role,
      expiresAt,
    });
    if (options.actor)
      await recordAudit(tx, {
        organizationId: organization.id,
        action: 'token.create',
        actor: options.actor,
        target: { kind: 'token', id, name: options.name },
        after: { role: options.role, expiresAt, organization: options.organization ?? null },
      });
    return { id, token, expiresAt, organization: { id: organization.id, title: organization.title } };
  });
}

export function inOneYear(): Date {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date;
}

/** An id that the command line does not mistake for an option. */
export function newTokenId(): string {
  const id = newId();
  return id.startsWith('-') ? newTokenId() : id;
}
