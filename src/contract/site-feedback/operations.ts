import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { SiteFeedback } from './feedback.ts';

export const siteFeedbackOperations = {
  listSiteFeedback: defineOperation({
    id: 'listSiteFeedback',
    method: 'GET',
    path: '/orgs/:organizationId/sites/:siteId/feedback',
    tag: 'Sites',
    summary: 'List what readers said of the pages of a site, the newest first.',
    description:
      'Each is kept for a year, and the newest 10,000 of a site. Nothing is stored about who said it.',
    query: Type.Object(
      {
        ...pagingFields,
        helpful: Type.Optional(
          Type.Boolean({ description: 'Only those who found the page helpful, or not.' }),
        ),
        pageId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only about this page.' })),
      },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(SiteFeedback) },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
