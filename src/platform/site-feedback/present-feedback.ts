import type { SiteFeedback } from '../../contract/index.ts';
import type { SiteFeedbackRow } from '../../store/index.ts';

export function presentFeedback(row: SiteFeedbackRow): SiteFeedback {
  const { id, createdAt, helpful, comment, pageId, spaceId, title, path } = row;
  return {
    object: 'site-feedback',
    id,
    createdAt: createdAt.toISOString(),
    helpful,
    ...(comment === null ? {} : { comment }),
    page: { id: pageId, space: spaceId, title, path },
  };
}
