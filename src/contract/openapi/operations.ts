import Type from 'typebox';
import { PrivateSpecs, ShownOperation } from '../content/page-view.ts';
import { ReferenceResource } from '../content/reference.ts';
import { Bytes, defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { OpenAPISource } from './openapi-source.ts';
import {
  OpenAPIChanges,
  OpenAPISlug,
  OpenAPISpec,
  OpenAPISpecVersion,
  OpenAPIVersionContent,
  OpenAPIVisibility,
} from './openapi-spec.ts';

const tag = 'OpenAPI specifications';
const specs = '/orgs/:organizationId/openapi';
const spec = '/orgs/:organizationId/openapi/:specSlug';

/** The largest request with a description, in bytes; above the limit of the text itself, as JSON escapes make it longer. */
const sourceBytes = 48 * 1024 * 1024;

export const openapiOperations = {
  listOpenAPISpecs: defineOperation({
    id: 'listOpenAPISpecsInOrganization',
    method: 'GET',
    path: specs,
    tag,
    summary: 'List the OpenAPI specifications of an organization that the caller may see.',
    query: Paging,
    responses: { 200: ListOf(OpenAPISpec) },
  }),

  createOpenAPISpec: defineOperation({
    id: 'createOpenAPISpec',
    method: 'POST',
    path: specs,
    tag,
    summary: 'Register an OpenAPI specification; it is fetched and read in the background.',
    body: Type.Object({ slug: OpenAPISlug, source: OpenAPISource }, { additionalProperties: false }),
    bodyLimit: sourceBytes,
    responses: { 201: OpenAPISpec },
    errors: ['role-too-low', 'slug-taken'],
  }),

  getOpenAPISpec: defineOperation({
    id: 'getOpenAPISpecBySlug',
    method: 'GET',
    path: spec,
    tag,
    summary: 'Read an OpenAPI specification: its processing state, and its errors.',
    responses: { 200: OpenAPISpec },
  }),

  putOpenAPISpec: defineOperation({
    id: 'createOrUpdateOpenAPISpecBySlug',
    method: 'PUT',
    path: spec,
    tag,
    summary:
      'Set the source of an OpenAPI specification, or send the same source again; creates the specification if there is none.',
    description:
      'A new version is created only if the meaning changes, not for other formatting, another order or another file format.',
    body: Type.Object({ source: OpenAPISource }, { additionalProperties: false }),
    bodyLimit: sourceBytes,
    responses: { 200: OpenAPISpec },
    errors: ['role-too-low'],
  }),

  updateOpenAPISpec: defineOperation({
    id: 'updateOpenAPISpecBySlug',
    method: 'PATCH',
    path: spec,
    tag,
    summary: 'Set who may read an OpenAPI specification.',
    body: Type.Object({ visibility: OpenAPIVisibility }, { additionalProperties: false }),
    responses: { 200: OpenAPISpec },
    errors: ['role-too-low'],
  }),

  deleteOpenAPISpec: defineOperation({
    id: 'deleteOpenAPISpecBySlug',
    method: 'DELETE',
    path: spec,
    tag,
    summary: 'Delete an OpenAPI specification with all its versions.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
  }),

  listOpenAPISpecVersions: defineOperation({
    id: 'listOpenAPISpecVersionsBySlug',
    method: 'GET',
    path: `${spec}/versions`,
    tag,
    summary: 'List the versions of an OpenAPI specification, newest first.',
    description: 'Only the newest 200 are stored.',
    query: Paging,
    responses: { 200: ListOf(OpenAPISpecVersion) },
  }),

  getLatestOpenAPISpecVersion: defineOperation({
    id: 'getLatestOpenAPISpecVersionBySlug',
    method: 'GET',
    path: `${spec}/versions/latest`,
    tag,
    summary: 'Read the latest version of an OpenAPI specification.',
    responses: { 200: OpenAPISpecVersion },
  }),

  getLatestOpenAPISpecVersionContent: defineOperation({
    id: 'getLatestOpenAPISpecVersionContentBySlug',
    method: 'GET',
    path: `${spec}/versions/latest/content`,
    tag,
    summary: 'Read the files of the latest version of an OpenAPI specification.',
    responses: { 200: OpenAPIVersionContent },
    conditional: true,
  }),

  getOpenAPISpecVersion: defineOperation({
    id: 'getOpenAPISpecVersionById',
    method: 'GET',
    path: `${spec}/versions/:versionId`,
    tag,
    summary: 'Read a version of an OpenAPI specification.',
    responses: { 200: OpenAPISpecVersion },
  }),

  getOpenAPISpecVersionContent: defineOperation({
    id: 'getOpenAPISpecVersionContentById',
    method: 'GET',
    path: `${spec}/versions/:versionId/content`,
    tag,
    summary: 'Read the files of a version of an OpenAPI specification.',
    responses: { 200: OpenAPIVersionContent },
    conditional: true,
  }),

  getOpenAPIDocument: defineOperation({
    id: 'getOpenAPISpecVersionDocument',
    method: 'GET',
    path: `${spec}/versions/:versionId/document`,
    tag,
    summary:
      'Read a version of an OpenAPI specification as one JSON document; `latest` is accepted as a version.',
    description:
      'Needs no token if the specification is public. Files other than the main one are in `x-files`, and every `$ref` leads to them there.',
    responses: { 200: Bytes },
    errors: ['token-missing', 'token-unknown', 'token-expired', 'sso-required'],
    extension: true,
    open: true,
  }),

  listOpenAPIChanges: defineOperation({
    id: 'listOpenAPISpecVersionChanges',
    method: 'GET',
    path: `${spec}/versions/:versionId/changes`,
    tag,
    summary:
      'List what a version of an OpenAPI specification changed for clients, and which of the changes break them.',
    description:
      'Compared with the version before it; empty for the first. `latest` is accepted as a version.',
    responses: { 200: OpenAPIChanges },
    extension: true,
  }),

  listOpenAPISpecBacklinks: defineOperation({
    id: 'listOpenAPISpecBacklinks',
    method: 'GET',
    path: `${spec}/backlinks`,
    tag,
    summary: 'List the references to an OpenAPI specification, or to an operation of it.',
    description:
      'In the current content of the spaces that the caller may see: blocks with their position, and pages generated from it.',
    query: Paging,
    responses: { 200: ListOf(ReferenceResource) },
    extension: true,
  }),

  listPageOperations: defineOperation({
    id: 'listOpenAPIOperationsOfPage',
    method: 'GET',
    path: '/spaces/:spaceId/content/page/:pageId/openapi',
    tag,
    summary: 'Read the API operations that a page shows, from the latest versions of their specifications.',
    description:
      'For everyone who may see the page. At most 100; operations that a specification does not have are left out, and those of specifications that the caller may not read.',
    responses: {
      200: Type.Object({
        items: Type.Array(ShownOperation),
        privateSpecs: PrivateSpecs,
      }),
    },
    extension: true,
  }),
} as const;
