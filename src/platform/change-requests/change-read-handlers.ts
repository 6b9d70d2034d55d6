import Type from 'typebox';
import type { ChangedFile } from '../../contract/index.ts';
import { listContributors, type RevisionRow, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import type { EffectiveRole } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { Presentation } from '../content/presentation.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentUserTo } from '../organizations/present-user.ts';
import { loadContent } from '../revisions/load-content.ts';
import { findChangedFiles } from './changed-files.ts';
import { compareFile } from './compare-file.ts';
import { describeConflict, readConflict } from './find-conflicts.ts';
import { locateChangeRequest } from './locate-change-request.ts';
import { loadMergeSides } from './merge-change-request.ts';
import { type ComparedSide, findSemanticChanges } from './semantic-changes.ts';

const Key = Type.String({ maxLength: 64 });
const Path = Type.String({ maxLength: 8_192 });

type Reads =
  | 'listContributors'
  | 'getChanges'
  | 'listChangedFiles'
  | 'compareFile'
  | 'listConflicts'
  | 'getConflict';

interface Params {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

/** The handlers that say what a change request changes, by whom, and where it contradicts the space. */
export function changeReadHandlers(deps: PlatformDeps): Pick<HandlersOf<'change-requests'>, Reads> {
  const { db, publicUrl } = deps;

  async function locateChanged(caller: Caller, params: Params): Promise<[SpaceRow, readonly ChangedFile[]]> {
    const { space, changeRequest } = await locateChangeRequest(db, caller, params, 'access');
    const { row } = changeRequest;
    if (row.baseRevisionId === row.revisionId) return [space, []];
    const base = await loadContent(deps, space, row.baseRevisionId);
    const head = await loadContent(deps, space, row.revisionId);
    return [space, findChangedFiles(base.rows, head.rows)];
  }

  return {
    async listContributors({ caller, params, query }) {
      const { space, changeRequest } = await locateChangeRequest(db, caller, params, 'access');
      const limit = limitOf(query);
      const list = `contributors of ${changeRequest.row.id}`;
      const after = readCursor(list, Key, query);
      const found = await listContributors(db, changeRequest.row.id, { after, limit: limit + 1 });
      return toList(found, {
        list,
        limit,
        keyOf: ({ user }) => user.id,
        present: ({ user, count, updatedAt }) => ({
          actionType: 'edit' as const,
          user: presentUserTo(caller, space.organizationId, user, publicUrl),
          count,
          updatedAt: updatedAt.toISOString(),
        }),
      });
    },

    async getChanges({ caller, params, query }) {
      const { space, effectiveRole, changeRequest } = await locateChangeRequest(db, caller, params, 'access');
      const { row } = changeRequest;
      const { limit = 10 } = query;
      const sideOf = async (revisionId: string): Promise<ComparedSide> => {
        const { revision, rows } = await loadContent(deps, space, revisionId);
        return { rows, view: viewOf({ space, revision, effectiveRole, caller, publicUrl }) };
      };
      const [base, head] = [await sideOf(row.baseRevisionId), await sideOf(row.revisionId)];
      const all = row.baseRevisionId === row.revisionId ? [] : findSemanticChanges(base, head);
      const more = all.length - limit;
      return { changes: all.slice(0, limit), ...(more > 0 ? { more } : {}) };
    },

    async listChangedFiles({ caller, params, query }) {
      const [, files] = await locateChanged(caller, params);
      const limit = limitOf(query);
      const list = `changed files of ${params.changeRequestId}`;
      const after = readCursor(list, Path, query);
      const rows = after === null ? files : files.filter(({ path }) => path > after);
      return toList(
        { count: files.length, rows: rows.slice(0, limit + 1) },
        { list, limit, keyOf: ({ path }) => path, present: (file) => file },
      );
    },

    async compareFile({ caller, params, query }) {
      const [space, files] = await locateChanged(caller, params);
      const file = files.find(({ path }) => path === query.path);
      if (file === undefined) throw notFound('changed file with this path in this change request');
      return await compareFile(deps, space, file);
    },

    async listConflicts({ caller, params, query }) {
      const { space, changeRequest } = await locateChangeRequest(db, caller, params, 'access');
      const sides = await loadMergeSides(deps, space, changeRequest.row);
      const limit = limitOf(query);
      const list = `conflicts of ${changeRequest.row.id}`;
      const after = readCursor(list, Path, query);
      const rows = after === null ? sides.conflicts : sides.conflicts.filter((path) => path > after);
      return toList(
        { count: sides.conflicts.length, rows: rows.slice(0, limit + 1) },
        { list, limit, keyOf: (path) => path, present: (path) => describeConflict(path, sides) },
      );
    },

    async getConflict({ caller, params, query }) {
      const { space, changeRequest } = await locateChangeRequest(db, caller, params, 'access');
      const sides = await loadMergeSides(deps, space, changeRequest.row);
      if (!sides.conflicts.includes(query.path))
        throw notFound('file with this path that both sides changed');
      return await readConflict(deps, space, query.path, sides);
    },
  };
}

/** Pages and files of a version are presented with what is written in it, computed pages without what they are made from. */
function viewOf(at: {
  readonly space: SpaceRow;
  readonly revision: RevisionRow;
  readonly effectiveRole: EffectiveRole;
  readonly caller: Caller;
  readonly publicUrl: string;
}): Presentation {
  const { space, revision, effectiveRole, caller, publicUrl } = at;
  return {
    space,
    revision,
    changeRequest: null,
    effectiveRole,
    organizationRole: caller.roleIn(space.organizationId),
    publicUrl,
    metadata: true,
    computed: true,
    madeFrom: '',
    specs: '',
  };
}
