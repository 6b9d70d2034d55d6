import Type from 'typebox';
import type { HeadersOf, Operations } from '../../contract/index.ts';
import {
  clearGitSync,
  deleteDisconnectedBinding,
  findBindingOfSpace,
  type GitOperationRow,
  insertGitOperation,
  listGitOperations,
  loadLostContent,
  newId,
  recordAudit,
  type SpaceRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace } from '../access/require-space.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentGitInfo } from '../spaces/present-space.ts';
import { gitOperationJob } from './git-operation-job.ts';
import { presentGitOperation } from './present-git-operation.ts';
import { readExport, readImport, readTimestamp } from './stored-request.ts';

const Key = Type.Integer({ minimum: 0 });

export function gitHandlers(deps: PlatformDeps): HandlersOf<'git'> {
  const { db } = deps;

  /** Stores an operation and enqueues its job in one transaction, so that an accepted operation always runs. */
  async function startOperation(
    caller: Caller,
    space: SpaceRow,
    direction: 'import' | 'export',
    input: ReturnType<typeof readImport> & {
      readonly body: { readonly ref: string; readonly timestamp?: string };
      readonly standalone: boolean;
    },
  ): Promise<{ headers: HeadersOf<Operations['importGit']>; answer: undefined }> {
    const { request, credentials, body, standalone } = input;
    const id = newId();
    const spaceId = space.id;
    await db.transaction(async (tx) => {
      await insertGitOperation(tx, {
        id,
        spaceId,
        direction,
        request,
        sealedCredentials: credentials ? deps.sealer.seal(JSON.stringify(credentials)) : null,
        timestamp: readTimestamp(body.timestamp, new Date()),
        ref: body.ref,
        standalone,
      });
      await deps.queue.enqueue(tx, gitOperationJob, { spaceId });
      // Pushes start most operations, through the App; they are in the list of operations.
      if (caller.actor.kind !== 'server')
        await recordAudit(tx, {
          organizationId: space.organizationId,
          action: `git.${direction}`,
          actor: caller.actor,
          target: { kind: 'space', id: spaceId, name: space.title },
          after: { operation: id, ref: body.ref },
        });
    });
    deps.log.info({ operation: id, space: spaceId, ref: body.ref }, `${direction} requested`);
    return { headers: { 'Docloom-Operation': id }, answer: undefined };
  }

  return {
    async importGit({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'triggerGitSync');
      if (space.editMode === 'locked') {
        throw new ApiError(
          'space-locked',
          'The space is locked, so nothing is imported; set its editMode to live first.',
        );
      }
      return await startOperation(caller, space, 'import', {
        ...readImport(body),
        body,
        standalone: body.standalone ?? false,
      });
    },

    async exportGit({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'triggerGitSync');
      return await startOperation(caller, space, 'export', {
        ...readExport(body),
        body,
        standalone: false,
      });
    },

    async getGitInfo({ caller, params }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'access');
      if (space.gitSync === null) throw notFound('repository of this space');
      return presentGitInfo(space);
    },

    async removeLegacyInstallation({ caller, params }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'admin');
      const binding = await findBindingOfSpace(db, space.id);
      if (binding === null || binding.disconnected === null) return;
      await db.transaction(async (tx) => {
        await deleteDisconnectedBinding(tx, binding.id, null);
        await clearGitSync(tx, space.id);
        await recordAudit(tx, {
          organizationId: space.organizationId,
          action: 'git.disconnect',
          actor: caller.actor,
          target: { kind: 'space', id: space.id, name: space.title },
        });
      });
    },

    async listGitOperations({ caller, params, query }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'access');
      const limit = limitOf(query);
      const before = readCursor('git-operations', Key, query);
      const found = await listGitOperations(db, space.id, { before, limit: limit + 1 });
      const lost = before === null ? (await loadLostContent(db, [space.id])).get(space.id) : undefined;
      const newest = lost && found.rows.find(({ operation }) => isOfContent(operation));
      return toList(found, {
        list: 'git-operations',
        limit,
        keyOf: (row) => row.operation.sequence,
        present: (row) => presentGitOperation(row, row === newest ? lost : undefined),
      });
    },
  };
}

/** Whether an operation imported content that readers saw. */
function isOfContent({ direction, state, standalone }: GitOperationRow): boolean {
  return direction === 'import' && state === 'success' && !standalone;
}
