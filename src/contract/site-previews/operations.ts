import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Formed, Id, Moment, Title, Url } from '../scalars.ts';
import { SiteSource } from '../sites/declared-site.ts';

const tag = 'Sites';
const previews = '/orgs/:organizationId/sites/:siteId/previews';
const closed = { additionalProperties: false };

const SitePreview = Type.Object(
  {
    object: Type.Literal('site-preview'),
    id: Id,
    source: Type.String(),
    title: Type.String(),
    address: Type.Unsafe<string>({
      ...Url,
      description: 'Where it is read, with the key that opens it to whoever has this address.',
    }),
    createdAt: Moment,
    updatedAt: Moment,
  },
  { $id: 'SitePreview' },
);
export type SitePreview = Static<typeof SitePreview>;

export const sitePreviewOperations = {
  saveSitePreview: defineOperation({
    id: 'saveSitePreview',
    method: 'POST',
    path: previews,
    tag,
    summary: 'Make the preview of a proposed change, such as a pull request, or show its newest state there.',
    description:
      'It is the whole site, with these revisions of some of its spaces. Members who see the site read it, and whoever has its address; search engines are kept out. Of the spaces, the caller must have the role `create` in each. It is deleted 30 days after it was saved last.',
    body: Type.Object(
      {
        source: SiteSource,
        title: Title,
        url: Formed('^https?://[^\\s"\'<>\\\\]+$', 'must be an http or https address', {
          maxLength: 2048,
          description: 'Of the proposed change.',
        }),
        revisions: Type.Array(Type.Object({ space: Id, revision: Id }, closed), {
          minItems: 1,
          maxItems: 100,
        }),
      },
      closed,
    ),
    responses: { 200: SitePreview },
    errors: ['role-too-low', 'limit-reached'],
    extension: true,
  }),

  deleteSitePreview: defineOperation({
    id: 'deleteSitePreview',
    method: 'DELETE',
    path: `${previews}/:previewSource`,
    tag,
    summary: 'Delete the preview of a proposed change.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
