import {
  type Db,
  deleteMemberSessions,
  deleteSessions,
  listSessions,
  loadMember,
  recordAudit,
  type SessionRow,
  type SessionScope,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentSession } from './present-session.ts';

export function sessionHandlers({ db }: PlatformDeps): HandlersOf<'sessions'> {
  return {
    async listSessions({ caller, query }) {
      const limit = limitOf(query);
      const after = readAgeCursor('sessions', query);
      const found = await listSessions(db, scopeOf(caller), { after, limit: limit + 1, now: new Date() });
      const present = (row: SessionRow) => presentSession(row, caller);
      return toList(found, { list: 'sessions', limit, keyOf: ageKeyOf, present });
    },

    async endOtherSessions({ caller }) {
      await end(db, caller, { except: caller.actor.sessionId ?? null });
    },

    async endSession({ caller, params }) {
      await end(db, caller, { only: params.sessionId });
    },

    async endMemberSessions({ caller, params }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      const found = await loadMember(db, organization.id, params.userId);
      if (!found) throw notFound('member with this id in this organization');
      await db.transaction(async (tx) => {
        const of =
          found.user.id === caller.user.id ? scopeOf(caller) : { userId: found.user.id, tokenId: null };
        const ended = await deleteMemberSessions(tx, organization.id, of, {
          except: caller.actor.sessionId ?? null,
        });
        if (ended > 0)
          await recordAudit(tx, {
            organizationId: organization.id,
            action: 'session.end-all',
            actor: caller.actor,
            target: { kind: 'user', id: found.user.id, name: found.user.displayName },
            before: { sessions: ended },
          });
      });
    },
  };
}

/**
 * Credentials with limits reach only the sessions that were begun with them, and those that an organization's provider
 * vouched for only what is this organization's: whoever runs it must neither see nor end what somebody does elsewhere.
 */
function scopeOf({ user, limit, bound, actor, credentials }: Caller): SessionScope {
  const isLimited = limit !== null || bound;
  const tokenId = isLimited ? (actor.tokenId ?? null) : null;
  return { userId: user.id, tokenId, organizationId: tokenId === null ? credentials.organizationId : null };
}

async function end(
  db: Db,
  caller: Caller,
  which: { readonly only: string } | { readonly except: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await deleteSessions(tx, scopeOf(caller), which);
    if (ended === 0) return;
    await recordAudit(tx, {
      organizationId: null,
      action: 'only' in which ? 'session.end' : 'session.end-all',
      actor: caller.actor,
      target: { kind: 'user', id: caller.user.id, name: caller.user.displayName },
      before: { sessions: ended },
    });
  });
}
