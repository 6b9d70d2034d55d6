import { type Db, loadUsers } from '../../store/index.ts';

/** How many people an event names; it counts the others. */
const MAX_NAMED = 100;

interface NamedMember {
  readonly id: string;
  readonly name: string | null;
  /** In the team, where the event is about that. */
  readonly role?: string;
}

/** People as an event of the audit log names them, who may be gone when somebody reads it. */
export async function nameMembers(
  tx: Db,
  people: readonly { readonly userId: string; readonly role?: string | null }[],
): Promise<{ readonly members: readonly NamedMember[]; readonly moreMembers?: number }> {
  const shown = people.slice(0, MAX_NAMED);
  const users =
    shown.length === 0
      ? null
      : await loadUsers(
          tx,
          shown.map(({ userId }) => userId),
        );
  const more = people.length - shown.length;
  return {
    members: shown.map(({ userId: id, role }) => ({
      id,
      name: users?.get(id)?.displayName ?? null,
      ...(role == null ? {} : { role }),
    })),
    ...(more === 0 ? {} : { moreMembers: more }),
  };
}
