import Type from 'typebox';
import type { ChangeRequest } from '../../contract/index.ts';
import {
  type ChangeRequestFilter,
  countUnmerged,
  diffFields,
  insertChangeRequest,
  isClusterBeingWritten,
  listChangeRequests,
  listOrganizationChangeRequests,
  loadLiveSpaces,
  lockChangeRequestForUpdate,
  lockIssueCluster,
  lockSpaceForUpdate,
  newId,
  type SpaceSelection,
  updateChangeRequest,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireSpace } from '../access/require-space.ts';
import { readAgeCursor } from '../api/age-cursor.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import { limitOf, type PagingQuery, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { retryWhenMoved } from '../revisions/retry-when-moved.ts';
import { changeContent } from './change-content.ts';
import { changeReadHandlers } from './change-read-handlers.ts';
import { checkSubject } from './check-subject.ts';
import { locateChangeRequest } from './locate-change-request.ts';
import { mergeChangeRequest, updateChangeRequestFromSpace } from './merge-change-request.ts';
import { readDescription, writeDescription } from './read-description.ts';
import { recordChangeRequest } from './record-change-request.ts';
import { viewChangeRequests } from './view-change-requests.ts';

const ByNumber = Type.Integer({ minimum: 1 });

/** Of one space that are neither merged nor archived. */
const MAX_UNMERGED = 20_000;

interface Params {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export function changeRequestHandlers(deps: PlatformDeps): HandlersOf<'change-requests'> {
  const { db } = deps;

  async function read(caller: Caller, params: Params): Promise<ChangeRequest> {
    const located = await locateChangeRequest(db, caller, params, 'access');
    const { changeRequest: view } = located;
    const present = await viewChangeRequests(deps, caller, located, [view]);
    return { ...present(view), ...(await readDescription(view.row.description)) };
  }

  async function selectAccessibleSpaces(
    caller: Caller,
    organizationId: string,
  ): Promise<SpaceSelection | null> {
    const accessMap = await loadAccessMap(db, organizationId, caller.membershipIn(organizationId));
    return await accessMap.accessibleSpaces();
  }

  return {
    ...changeReadHandlers(deps),

    async listChangeRequests({ caller, params, query }) {
      const { space, effectiveRole } = await requireSpace(db, caller, params.spaceId, 'access');
      const limit = limitOf(query);
      const { orderBy = 'number' } = query;
      const list = orderBy === 'number' ? 'change-requests' : 'change-requests by update';
      const found = await listChangeRequests(db, space.id, {
        filter: filterOf(query),
        orderBy,
        after: orderBy === 'number' ? readNumber(list, query) : readUpdate(list, query),
        limit: limit + 1,
      });
      const present = await viewChangeRequests(deps, caller, { space, effectiveRole }, found.rows);
      return toList(found, {
        list,
        limit,
        keyOf: ({ row }) => (orderBy === 'number' ? row.number : [row.updatedAt.toISOString(), row.id]),
        present,
      });
    },

    async listOrganizationChangeRequests({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'view');
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const limit = limitOf(query);
      const list = `change-requests of ${organization.id}`;
      const found = await listOrganizationChangeRequests(db, organization.id, {
        selection: await accessMap.accessibleSpaces(),
        filter: filterOf(query),
        after: readUpdate(list, query),
        limit: limit + 1,
      });
      const bySpace = Map.groupBy(found.rows, ({ row }) => row.spaceId);
      const presenters = new Map(
        await Promise.all(
          (await loadLiveSpaces(db, [...bySpace.keys()])).map(async (space) => {
            const at = { space, effectiveRole: accessMap.roleInSpace(space) };
            return [
              space.id,
              await viewChangeRequests(deps, caller, at, bySpace.get(space.id) ?? []),
            ] as const;
          }),
        ),
      );
      return toList(
        { ...found, rows: found.rows.filter(({ row }) => presenters.has(row.spaceId)) },
        {
          list,
          limit,
          keyOf: ({ row }) => [row.updatedAt.toISOString(), row.id],
          present: (view) => (presenters.get(view.row.spaceId) as (one: typeof view) => ChangeRequest)(view),
        },
      );
    },

    async createChangeRequest({ caller, params, body }) {
      const { space } = await requireSpace(db, caller, params.spaceId, 'edit');
      const { cluster, another = false } = body;
      if (cluster !== undefined)
        await requireOrganization(db, caller, space.organizationId, 'viewConversations');
      const seenSpaces =
        cluster === undefined
          ? { groups: [], ids: [] }
          : await selectAccessibleSpaces(caller, space.organizationId);
      const { description: sent } = body;
      const description = sent === undefined ? '' : await writeDescription(db, space, sent, '');
      const row = await db.transaction(async (tx) => {
        const locked = await lockSpaceForUpdate(tx, space.id);
        if (locked === null || locked.revisionId === null) throw notFound('space with this id');
        if ((await countUnmerged(tx, space.id)) >= MAX_UNMERGED) {
          throw new ApiError(
            'limit-reached',
            `A space has at most ${MAX_UNMERGED} change requests that are drafts or open.`,
          );
        }
        if (cluster !== undefined) {
          // Locked, so that of two at the same moment the second sees the first.
          if (!(await lockIssueCluster(tx, space.organizationId, cluster)))
            throw invalid('/body/cluster', 'must be a cluster of issues of the organization');
          if (
            !another &&
            (await isClusterBeingWritten(
              tx,
              { id: cluster, organizationId: space.organizationId },
              seenSpaces,
            ))
          )
            throw new ApiError(
              'being-written',
              'A change request for this cluster is being written already: go on with it, or set the field another to true for a second one.',
            );
        }
        const inserted = await insertChangeRequest(tx, {
          id: newId(),
          spaceId: space.id,
          subject: checkSubject(body.subject) ?? '',
          description,
          createdBy: caller.user.id,
          baseRevisionId: locked.revisionId,
          revisionId: locked.revisionId,
          clusterId: cluster ?? null,
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
      const { description: sent, ...rest } = body;
      const saved = changeRequest.row.description;
      const description = sent && (await writeDescription(db, space, sent, saved));
      await db.transaction(async (tx) => {
        const locked = await lockChangeRequestForUpdate(tx, changeRequest.row.id);
        if (locked?.status === 'merged' && body.status !== undefined) {
          throw new ApiError(
            'already-merged',
            `Change request ${locked.number} was merged, so its status cannot be changed.`,
          );
        }
        if (locked === null) return;
        const changes = { ...rest, ...(description === undefined ? {} : { description }) };
        await updateChangeRequest(tx, changeRequest.row.id, changes);
        const row = { ...locked, ...changes };
        const diff = diffFields(locked, row, ['subject', 'description', 'status']);
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

    async updateChangeRequestFromSpace({ caller, params, body }) {
      const { space } = await locateChangeRequest(db, caller, params, 'edit');
      const { resolutions = [] } = body;
      await retryWhenMoved(() =>
        updateChangeRequestFromSpace(deps, space.id, params.changeRequestId, { resolutions, caller }),
      );
      return { ...(await read(caller, params)), result: 'update' };
    },
  };
}

function filterOf(query: Partial<Record<keyof ChangeRequestFilter, string>>): ChangeRequestFilter {
  const {
    status = null,
    creator = null,
    contributor = null,
    requestedReviewer = null,
    cluster = null,
    revision = null,
  } = query;
  return { status, creator, contributor, requestedReviewer, cluster, revision };
}

function readNumber(list: string, query: PagingQuery) {
  const number = readCursor(list, ByNumber, query);
  return number === null ? null : { number };
}

function readUpdate(list: string, query: PagingQuery) {
  const key = readAgeCursor(list, query);
  return key === null ? null : { updatedAt: key.createdAt, id: key.id };
}
