import Type from 'typebox';
import type { ChangeRequest } from '../../contract/index.ts';
import {
  diffFields,
  insertChangeRequest,
  listChangeRequests,
  lockChangeRequestForUpdate,
  lockSpaceForUpdate,
  newId,
  updateChangeRequest,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace } from '../access/require-space.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { retryWhenMoved } from '../revisions/retry-when-moved.ts';
import { changeContent } from './change-content.ts';
import { loadMergeRules } from './enforce-merge-rules.ts';
import { locateChangeRequest } from './locate-change-request.ts';
import { mergeChangeRequest, updateChangeRequestFromSpace } from './merge-change-request.ts';
import { presentChangeRequest } from './present-change-request.ts';
import { recordChangeRequest } from './record-change-request.ts';

const Key = Type.Integer({ minimum: 1 });

interface Params {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export function changeRequestHandlers(deps: PlatformDeps): HandlersOf<'change-requests'> {
  const { db, publicUrl } = deps;

  async function read(caller: Caller, params: Params): Promise<ChangeRequest> {
    const { space, effectiveRole, changeRequest } = await locateChangeRequest(db, caller, params, 'access');
    const rules = await loadMergeRules(db, space);
    return presentChangeRequest(changeRequest, { caller, space, effectiveRole, rules, publicUrl });
  }

  return {
    async listChangeRequests({ caller, params, query }) {
      const { space, effectiveRole } = await requireSpace(db, caller, params.spaceId, 'access');
      const limit = limitOf(query);
      const before = readCursor('change-requests', Key, query);
      const status = query.status ?? null;
      const found = await listChangeRequests(db, space.id, { status, before, limit: limit + 1 });
      const rules = await loadMergeRules(db, space);
      return toList(found, {
        list: 'change-requests',
        limit,
        keyOf: ({ row }) => row.number,
        present: (view) => presentChangeRequest(view, { caller, space, effectiveRole, rules, publicUrl }),
      });
    },

    async createChangeRequest({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'edit');
      const row = await db.transaction(async (tx) => {
        const locked = await lockSpaceForUpdate(tx, space.id);
        if (locked === null || locked.revisionId === null) throw notFound('space with this id');
        const inserted = await insertChangeRequest(tx, {
          id: newId(),
          spaceId: space.id,
          subject: checkSubject(body.subject) ?? '',
          createdBy: caller.user.id,
          baseRevisionId: locked.revisionId,
          revisionId: locked.revisionId,
        });
        await recordChangeRequest(tx, caller, 'change-request.create', { space, row: inserted });
        return inserted;
      });
      return await read(caller, { spaceId: space.id, changeRequestId: row.id });
    },

    getChangeRequest: ({ caller, params }) => read(caller, params),

    async updateChangeRequest({ caller, params, body }) {
      const { space, changeRequest } = await locateChangeRequest(db, caller, params, 'edit');
      checkSubject(body.subject);
      await db.transaction(async (tx) => {
        const locked = await lockChangeRequestForUpdate(tx, changeRequest.row.id);
        if (locked?.status === 'merged' && body.status !== undefined) {
          throw new ApiError(
            'already-merged',
            `Change request ${locked.number} was merged, so its status cannot be changed.`,
          );
        }
        await updateChangeRequest(tx, changeRequest.row.id, body);
        if (locked === null) return;
        const row = { ...locked, ...body };
        const diff = diffFields(locked, row, ['subject', 'status']);
        if (diff !== null)
          await recordChangeRequest(tx, caller, 'change-request.update', { space, row }, diff);
      });
      return await read(caller, params);
    },

    async changeContent({ caller, params, body }) {
      const { space } = await locateChangeRequest(db, caller, params, 'edit');
      await retryWhenMoved(async () => {
        const fresh = await requireSpace(db, caller, space.id, 'edit');
        await changeContent(deps, fresh.space, params.changeRequestId, body.changes, {
          editor: caller.user.id,
          record: async (tx, { revisionId, ...of }) =>
            await recordChangeRequest(tx, caller, 'change-request.change-content', of, {
              after: { revision: revisionId, changes: body.changes.length },
            }),
        });
      });
      return await read(caller, params);
    },

    async mergeChangeRequest({ caller, params }) {
      const { space } = await locateChangeRequest(db, caller, params, 'merge');
      await retryWhenMoved(() => mergeChangeRequest(deps, space.id, params.changeRequestId, caller));
      const merged = await read(caller, params);
      return { ...merged, result: 'merge', revision: merged.revisionMerged ?? merged.revision };
    },

    async updateChangeRequestFromSpace({ caller, params }) {
      const { space } = await locateChangeRequest(db, caller, params, 'edit');
      await retryWhenMoved(() =>
        updateChangeRequestFromSpace(deps, space.id, params.changeRequestId, caller),
      );
      return { ...(await read(caller, params)), result: 'update' };
    },
  };
}

/** It becomes the subject of a commit, or a line of its message. */
function checkSubject(subject: string | undefined): string | undefined {
  if (subject !== undefined && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject))
    throw invalid('/body/subject', 'must be one line, without control characters');
  return subject;
}
