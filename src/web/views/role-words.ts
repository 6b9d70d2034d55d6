import { type Role, roles } from '../../client/index.ts';

/** The value of a form for a member without a role. */
export const GUEST = 'guest' as const;

/** What each role adds to those below it, for whoever chooses one. */
const WORDS: Readonly<Record<Role | typeof GUEST, string>> = {
  guest: 'sees what is shared with them',
  read: 'reads everything that members see',
  comment: 'takes part in discussions',
  edit: 'writes change requests',
  review: 'merges change requests',
  create: 'creates spaces, starts imports',
  admin: 'changes everything, manages people',
};

/** Every role for a choice, the lowest first. @param withGuest whether none is a choice, too */
export function roleOptions(
  withGuest: boolean,
): readonly { readonly value: string; readonly label: string }[] {
  const values: readonly (Role | typeof GUEST)[] = [GUEST, ...roles.toReversed()];
  return values.slice(withGuest ? 0 : 1).map((value) => ({
    value,
    label: `${value}: ${WORDS[value]}`,
  }));
}

/** Every level of all members in a space or a collection. */
export function levelOptions(): readonly { readonly value: string; readonly label: string }[] {
  return [{ value: 'inherit', label: 'as the collection above says' }, ...roleOptions(false)];
}

/** The same in as few words as fit into a table. */
export function shortRoleOptions(
  withGuest: boolean,
): readonly { readonly value: string; readonly label: string }[] {
  return roleOptions(withGuest).map(({ value }) => ({ value, label: value }));
}

export function nameRole(role: Role | null): string {
  return role ?? GUEST;
}

/** `as a guest`, or `with the role edit`. */
export function describeRole(role: Role | null): string {
  return role === null ? 'as a guest' : `with the role ${role}`;
}

/** The role that a form's field names; null for a guest, and undefined for a text that is no role. */
export function readRole(text: string): Role | null | undefined {
  return text === GUEST ? null : roles.find((role) => role === text);
}
