import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging } from '../paging.ts';
import { BrowserSession } from './session.ts';

const tag = 'Tokens and sessions';
const description =
  'A caller with a token that is bound to an organization or capped by a role sees and ends only the sessions that were begun with this token.';

export const sessionOperations = {
  listSessions: defineOperation({
    id: 'listOwnSessions',
    method: 'GET',
    path: '/user/sessions',
    tag,
    summary: 'List the browsers in which the caller is signed in, oldest first.',
    description,
    query: Paging,
    responses: { 200: ListOf(BrowserSession) },
    extension: true,
  }),

  endOtherSessions: defineOperation({
    id: 'endOtherSessions',
    method: 'DELETE',
    path: '/user/sessions',
    tag,
    summary: 'End all sessions of the caller but the one that makes this request.',
    description,
    responses: { 204: Type.Void() },
    extension: true,
  }),

  endSession: defineOperation({
    id: 'endOwnSession',
    method: 'DELETE',
    path: '/user/sessions/:sessionId',
    tag,
    summary: 'End a session of the caller.',
    description,
    responses: { 204: Type.Void() },
    extension: true,
  }),

  endMemberSessions: defineOperation({
    id: 'endSessionsOfOrganizationMember',
    method: 'DELETE',
    path: '/orgs/:organizationId/members/:userId/sessions',
    tag,
    summary: 'End the sessions of a member, as an administrator: they sign in again.',
    description:
      'Of a member who is also in other organizations, only the sessions that passed the single sign-on of this one, or were begun with a token for it alone, end.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
