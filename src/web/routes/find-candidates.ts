import type { FastifyRequest } from 'fastify';
import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import type { Candidates } from '../views/subject-picker.ts';
import { readText } from './read-text.ts';

/** Members and teams that are offered at once. */
const OFFERED = 100;

/** A member or a team that a form names; null for anything else. */
export function readGrantSubject(
  body: unknown,
): { readonly users: [string] } | { readonly teams: [string] } | null {
  const [, kind, id] = /^(user|team):([\w-]{1,64})$/.exec(readText(body, 'subject')) ?? [];
  if (id === undefined) return null;
  return kind === 'user' ? { users: [id] } : { teams: [id] };
}

/** The members of an organization, and its teams if wanted, that match what the address asks for; null for readers who may not list them. */
export async function findCandidates(
  client: PlatformClient,
  organizationId: string,
  request: FastifyRequest,
  { withTeams, except = new Set() }: { readonly withTeams: boolean; readonly except?: ReadonlySet<string> },
): Promise<Candidates | null> {
  const find = readText(request.query, 'find', 64).trim();
  const params = { organizationId };
  try {
    const members = await client.call(operations.listMembers, {
      params,
      query: { limit: OFFERED, order: 'asc', ...(find === '' ? {} : { search: find }) },
    });
    const teams = withTeams
      ? await client.call(operations.listTeams, {
          params,
          query: { limit: OFFERED, ...(find === '' ? {} : { title: find }) },
        })
      : null;
    return {
      find,
      members: members.items
        .filter(({ id }) => !except.has(id))
        .map(({ id, user }) => ({
          id,
          label: user.email === undefined ? user.displayName : `${user.displayName} (${user.email})`,
        })),
      teams: teams?.items.map(({ id, title }) => ({ id, label: title })) ?? [],
      isPart: members.next !== undefined || teams?.next !== undefined,
    };
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
