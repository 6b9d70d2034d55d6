import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { checkText } from './check-text.ts';
import { locateEdited } from './locate-edited.ts';
import { readSource } from './read-source.ts';

export function editingHandlers(deps: PlatformDeps): HandlersOf<'editing'> {
  return {
    async getSource({ caller, params, query }) {
      const content = await locateEdited(deps, caller, params.spaceId, query);
      return await readSource(deps, content, query.path);
    },

    async checkText({ caller, params, body }) {
      const content = await locateEdited(deps, caller, params.spaceId, body);
      const { path, text, view: wantsView = true } = body;
      return await checkText(deps, content, { path, text, wantsView });
    },
  };
}
