import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { Organization } from '../resources/organization.ts';
import { User } from '../resources/user.ts';
import { Title } from '../scalars.ts';

const tag = 'Organizations';

export const listOrganizations = defineOperation({
  id: 'listOrganizations',
  method: 'GET',
  path: '/orgs',
  tag,
  summary: 'List the organizations that the caller belongs to.',
  query: Paging,
  responses: { 200: ListOf(Organization) },
  errors: [400],
});

export const createOrganization = defineOperation({
  id: 'createOrganization',
  method: 'POST',
  path: '/orgs',
  tag,
  summary: 'Create an organization; the caller becomes its first administrator.',
  description: 'A token that is bound to one organization cannot create another.',
  body: Type.Object({ title: Title }, { additionalProperties: false }),
  responses: { 201: Organization },
  errors: [400, 403, 413, 415],
  extension: true,
});

export const getOrganization = defineOperation({
  id: 'getOrganization',
  method: 'GET',
  path: '/orgs/:organizationId',
  tag,
  summary: 'Read an organization.',
  responses: { 200: Organization },
  errors: [404],
});

export const getUser = defineOperation({
  id: 'getUser',
  method: 'GET',
  path: '/user',
  tag,
  summary: 'Read the user whom the token stands for.',
  responses: { 200: User },
  extension: true,
});
