import {
  type AuditActor,
  type Db,
  type InviteRow,
  insertMember,
  recordAudit,
  recordInviteUse,
  type UserRow,
} from '../../store/index.ts';

/** Makes a user a member by an invitation, which is locked. Nothing changes, and no use is counted, if they are one. */
export async function admitByInvite(
  tx: Db,
  invite: InviteRow,
  user: Pick<UserRow, 'id' | 'displayName'>,
  actor: AuditActor,
): Promise<void> {
  const { id, organizationId, role, email } = invite;
  if (!(await insertMember(tx, { organizationId, userId: user.id, role }))) return;
  await recordInviteUse(tx, id);
  await recordAudit(tx, {
    organizationId,
    action: 'member.join',
    actor,
    target: { kind: 'member', id: user.id, name: user.displayName },
    after: { role, invite: id, by: email === null ? 'link' : 'mail' },
  });
}
