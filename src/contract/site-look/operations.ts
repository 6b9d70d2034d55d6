import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { CustomizationChange, SiteCustomization } from '../sites/customization.ts';

const tag = 'Sites';
const site = '/orgs/:organizationId/sites/:siteId';
const own = `${site}/customization`;
const ofSpace = `${site}/site-spaces/:siteSpaceId/customization`;
const closed = { additionalProperties: false };

export const siteLookOperations = {
  getSiteCustomization: defineOperation({
    id: 'getSiteCustomizationById',
    method: 'GET',
    path: own,
    tag,
    summary: 'Read how a site looks, with the defaults for what nobody has chosen.',
    query: Type.Object({ unmasked: Type.Optional(Type.Boolean({ description: 'Without effect.' })) }, closed),
    responses: { 200: SiteCustomization },
    errors: ['role-too-low'],
    extension: true,
  }),

  updateSiteCustomization: defineOperation({
    id: 'updateSiteCustomizationById',
    method: 'PUT',
    path: own,
    tag,
    summary: 'Choose how a site looks; what is left out has its default.',
    body: CustomizationChange,
    responses: { 200: SiteCustomization },
    errors: ['role-too-low'],
    extension: true,
  }),

  getSiteSpaceCustomization: defineOperation({
    id: 'getSiteSpaceCustomizationById',
    method: 'GET',
    path: ofSpace,
    tag,
    summary: 'Read how a space of a site looks.',
    query: Type.Object({ unmasked: Type.Optional(Type.Boolean({ description: 'Without effect.' })) }, closed),
    responses: { 200: SiteCustomization },
    errors: ['role-too-low'],
    extension: true,
  }),

  updateSiteSpaceCustomization: defineOperation({
    id: 'overrideSiteSpaceCustomizationById',
    method: 'PATCH',
    path: ofSpace,
    tag,
    summary: 'Choose what of a space looks otherwise than its site; null takes a choice back.',
    body: CustomizationChange,
    responses: { 200: SiteCustomization },
    errors: ['role-too-low'],
    extension: true,
  }),

  deleteSiteSpaceCustomization: defineOperation({
    id: 'deleteSiteSpaceCustomizationById',
    method: 'DELETE',
    path: ofSpace,
    tag,
    summary: 'Let a space look like its site again.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
