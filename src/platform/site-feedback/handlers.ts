import { listFeedback } from '../../store/index.ts';
import { requireSite } from '../access/require-site.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentFeedback } from './present-feedback.ts';

export function siteFeedbackHandlers({ db }: PlatformDeps): HandlersOf<'site-feedback'> {
  return {
    async listSiteFeedback({ caller, params, query }) {
      const { site } = await requireSite(db, caller, params, 'edit');
      const limit = limitOf(query);
      const list = `feedback on ${site.id}`;
      const found = await listFeedback(db, site.id, {
        helpful: query.helpful,
        pageId: query.pageId,
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, { list, limit, keyOf: ageKeyOf, present: presentFeedback });
    },
  };
}
