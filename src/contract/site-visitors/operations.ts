import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { Formed } from '../scalars.ts';
import { AdaptiveJsonSchema, AdaptiveSchema, TemplateCondition } from './adaptive-schema.ts';
import { PublishingAuth } from './publishing-auth.ts';

const tag = 'Sites';
const site = '/orgs/:organizationId/sites/:siteId';
const adaptive = `${site}/adaptive-schema`;
const auth = `${site}/publishing/auth`;
const closed = { additionalProperties: false };

export const siteVisitorOperations = {
  getAdaptiveSchema: defineOperation({
    id: 'getSiteAdaptiveSchema',
    method: 'GET',
    path: adaptive,
    tag,
    summary: 'Read what a site knows of its visitors; 404 while nobody has said it.',
    responses: { 200: AdaptiveSchema },
    errors: ['role-too-low'],
  }),

  updateAdaptiveSchema: defineOperation({
    id: 'updateSiteAdaptiveSchema',
    method: 'PUT',
    path: adaptive,
    tag,
    summary: 'Say what a site may know of its visitors.',
    description:
      'Claims that it does not name are dropped. Conditions use a claim as `visitor.claims.<name>`, and one that is not signed as `visitor.claims.unsigned.<name>`.',
    body: Type.Object({ jsonSchema: AdaptiveJsonSchema }, closed),
    responses: { 200: AdaptiveSchema },
    errors: ['role-too-low'],
  }),

  listTemplateConditions: defineOperation({
    id: 'listSiteAdaptiveTemplateConditions',
    method: 'GET',
    path: `${adaptive}/template-conditions`,
    tag,
    summary: 'List a condition for each claim that the site knows.',
    responses: { 200: Type.Object({ items: Type.Array(TemplateCondition) }) },
    errors: ['role-too-low'],
  }),

  getPublishingAuth: defineOperation({
    id: 'getSitePublishingAuthById',
    method: 'GET',
    path: auth,
    tag,
    summary: 'Read how a site knows its visitors, with the key that signs their tokens.',
    description: 'The first call makes the key.',
    responses: { 200: PublishingAuth },
    errors: ['role-too-low'],
    extension: true,
  }),

  updatePublishingAuth: defineOperation({
    id: 'updateSitePublishingAuthById',
    method: 'PATCH',
    path: auth,
    tag,
    summary: 'Change where visitors without a valid token are sent; null sends them nowhere.',
    body: Type.Object(
      {
        backend: Type.Optional(Type.Literal('custom')),
        fallbackURL: Type.Optional(
          Type.Union([
            Formed('^https?://', 'must be an http or https address', { format: 'uri', maxLength: 2048 }),
            Type.Null(),
          ]),
        ),
      },
      closed,
    ),
    responses: { 200: PublishingAuth },
    errors: ['role-too-low'],
    extension: true,
  }),

  regeneratePublishingAuth: defineOperation({
    id: 'regenerateSitePublishingAuthById',
    method: 'POST',
    path: `${auth}/regenerate`,
    tag,
    summary: 'Replace the key that signs visitors’ tokens; the one before is accepted for another 24 hours.',
    responses: { 200: PublishingAuth },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
