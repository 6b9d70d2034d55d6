import type { HandlersOf } from '../api/handler.ts';
import { changeContent } from '../change-requests/change-content.ts';
import { locateChangeRequest } from '../change-requests/locate-change-request.ts';
import { recordChangeRequest } from '../change-requests/record-change-request.ts';
import { requireUnmerged } from '../change-requests/require-unmerged.ts';
import { viewChangeRequests } from '../change-requests/view-change-requests.ts';
import type { PlatformDeps } from '../deps.ts';
import { retryWhenMoved } from '../revisions/retry-when-moved.ts';
import { checkText } from './check-text.ts';
import { locateEdited } from './locate-edited.ts';
import { planFiles } from './plan-files.ts';
import { readSource } from './read-source.ts';
import { requirePath } from './require-path.ts';
import { suggestTargets } from './suggest-targets.ts';

export function editingHandlers(deps: PlatformDeps): HandlersOf<'editing'> {
  return {
    async getSource({ caller, params, query }) {
      const content = await locateEdited(deps, caller, params.spaceId, query);
      return await readSource(deps, content, query.path);
    },

    async checkText({ caller, params, body }) {
      const content = await locateEdited(deps, caller, params.spaceId, body);
      const { path, text, view: wantsView = true } = body;
      if (!content.rows.entries.has(path)) requirePath(path, '/body/path', content.revision.directory);
      return await checkText(deps, content, { path, text, wantsView });
    },

    async suggestTargets({ caller, params, query }) {
      const content = await locateEdited(deps, caller, params.spaceId, query);
      const { path, query: written = '', kind = 'any' } = query;
      return { items: [...(await suggestTargets(deps, content, { path, query: written, kind }))] };
    },

    async planFiles({ caller, params, body }) {
      const content = await locateEdited(deps, caller, params.spaceId, body);
      return (await planFiles(deps, content, body.action)).plan;
    },

    async changeFiles({ caller, params, body }) {
      const { spaceId, changeRequestId } = params;
      await retryWhenMoved(async () => {
        const content = await locateEdited(deps, caller, spaceId, { changeRequest: changeRequestId });
        requireUnmerged(content.changeRequest);
        const { changes } = await planFiles(deps, content, body.action);
        await changeContent(deps, content.space, changeRequestId, changes, {
          editor: caller.user.id,
          planned: content.revision.id,
          record: async (tx, { revisionId, ...of }) =>
            await recordChangeRequest(tx, caller, 'change-request.change-content', of, {
              after: { revision: revisionId, changes: changes.length },
            }),
        });
      });
      const located = await locateChangeRequest(deps.db, caller, params, 'access');
      const present = await viewChangeRequests(deps, caller, located, [located.changeRequest]);
      return present(located.changeRequest);
    },
  };
}
