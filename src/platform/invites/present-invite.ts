import type { LinkInvite, MailInvite } from '../../contract/index.ts';
import type { InviteRow } from '../../store/index.ts';
import { toRole } from '../access/roles.ts';

function presentFields(row: InviteRow) {
  return {
    object: 'invite' as const,
    id: row.id,
    role: row.role === null ? null : toRole(row.role),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

export function presentLinkInvite(row: InviteRow): LinkInvite {
  const isUsedUp = row.maxUses !== null && row.uses >= row.maxUses;
  return {
    ...presentFields(row),
    redundant: isUsedUp || row.expiresAt <= new Date(),
    uses: row.uses,
    ...(row.maxUses === null ? {} : { maxUses: row.maxUses }),
  };
}

export function presentMailInvite(row: InviteRow): MailInvite {
  return { ...presentFields(row), email: row.email ?? '' };
}
