import type { FastifyInstance } from 'fastify';
import {
  type Collection,
  operations,
  type PlatformClient,
  PlatformError,
  type Space,
  type TeamPermission,
  type UserPermission,
} from '../../client/index.ts';
import { accessPath } from '../addresses.ts';
import { type Place, type PlaceAccess, renderPlaceAccess } from '../views/place-access-view.ts';
import { findCandidates, readGrantSubject } from './find-candidates.ts';
import { chooseRole, submit, UnusableInput } from './in-organization.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, type SignedIn, signedIn } from './signed-in.ts';

const SHOWN = 50;

interface Query {
  readonly limit: number;
  readonly page?: string;
}
interface List<T> {
  readonly items: readonly T[];
  readonly count: number;
  readonly next?: { readonly page: string };
}
interface NewGrant {
  readonly role: ReturnType<typeof chooseRole>;
  readonly users?: [string];
  readonly teams?: [string];
}

/** A space or collection, with the operations about access to it. */
interface OpenedPlace {
  readonly place: Place;
  /** Null for a collection. */
  readonly space: Space | null;
  users(query: Query): Promise<List<UserPermission>>;
  teams(query: Query): Promise<List<TeamPermission>>;
  everybody(query: Query): Promise<List<UserPermission>>;
  grant(body: NewGrant): Promise<unknown>;
}

/** `/spaces/<id>/access` and `/collections/<id>/access`. */
export function registerPlaceAccess(app: FastifyInstance, context: PagesContext): void {
  register('/spaces/:id/access', openSpace);
  register('/collections/:id/access', openCollection);

  function register(path: string, open: (client: PlatformClient, id: string) => Promise<OpenedPlace>): void {
    app.get(
      path,
      signedIn<{ id: string }>(context, async (call) => show(call, await open(call.client, call.params.id))),
    );
    app.post(
      path,
      ownForm(context),
      signedIn<{ id: string }>(context, async (call) => {
        const opened = await open(call.client, call.params.id);
        const { request, reply } = call;
        const chosen = readText(request.body, 'role');
        return await submit(
          reply,
          async () => {
            const subject = readGrantSubject(request.body);
            if (subject === null) throw new UnusableInput('Choose a member or a team from the list.');
            await opened.grant({ ...subject, role: chosen === '' ? null : chooseRole(chosen) });
            const { kind, id } = opened.place;
            return reply.redirect(
              `${accessPath(kind, id)}?done=${chosen === '' ? 'removed' : 'granted'}`,
              303,
            );
          },
          (problem) => show(call, opened, { problem, role: chosen }),
        );
      }),
    );
  }
}

/** What was done, by the value of `done` in the address. */
const NEWS: ReadonlyMap<string, string> = new Map([
  ['granted', 'The role was granted.'],
  ['removed', 'What was granted here was removed. What comes from elsewhere stays.'],
]);

async function show(
  { client, session, request }: SignedIn<unknown>,
  { place, space, ...lists }: OpenedPlace,
  { problem = null, role = 'read' }: { problem?: string | null; role?: string } = {},
): Promise<string> {
  const path = accessPath(place.kind, place.id);
  async function part<T>(name: string, list: (query: Query) => Promise<List<T>>) {
    const page = readText(request.query, name, 2000);
    const { items, count, next } = await list({ limit: SHOWN, ...(page === '' ? {} : { page }) });
    const more = next === undefined ? null : `${path}?${new URLSearchParams({ [name]: next.page })}`;
    return { items, count, more };
  }
  const [organization, users, teams, everybody] = await Promise.all([
    client.call(operations.getOrganization, { params: { organizationId: place.organizationId } }),
    part('users', lists.users),
    part('teams', lists.teams),
    part('people', lists.everybody),
  ]);
  const page: PlaceAccess = {
    place,
    space,
    organization,
    users,
    teams,
    everybody,
    listsMembers: organization.permissions.listMembers,
    candidates: place.isAdministered
      ? await findCandidates(client, organization.id, request, { withTeams: true })
      : null,
    role,
    news: NEWS.get(readText(request.query, 'done')) ?? null,
    problem,
    user: session,
  };
  return renderPlaceAccess(page);
}

async function openSpace(client: PlatformClient, spaceId: string): Promise<OpenedPlace> {
  const params = { spaceId };
  const space = await client.call(operations.getSpace, { params });
  return {
    place: { ...(await describe(client, space)), kind: 'space', visibility: space.visibility },
    space,
    users: (query) => client.call(operations.listSpaceUsers, { params, query }),
    teams: (query) => client.call(operations.listSpaceTeams, { params, query }),
    everybody: (query) => client.call(operations.listSpacePermissions, { params, query }),
    grant: (body) => client.call(operations.grantInSpace, { params, body }),
  };
}

async function openCollection(client: PlatformClient, collectionId: string): Promise<OpenedPlace> {
  const params = { collectionId };
  const collection = await client.call(operations.getCollection, { params });
  return {
    place: { ...(await describe(client, collection)), kind: 'collection', visibility: null },
    space: null,
    users: (query) => client.call(operations.listCollectionUsers, { params, query }),
    teams: (query) => client.call(operations.listCollectionTeams, { params, query }),
    everybody: (query) => client.call(operations.listCollectionPermissions, { params, query }),
    grant: (body) => client.call(operations.grantInCollection, { params, body }),
  };
}

async function describe(client: PlatformClient, place: Space | Collection) {
  const { id, title, organization, defaultLevel, permissions } = place;
  return {
    id,
    title,
    organizationId: organization,
    defaultLevel,
    parent: await findParent(client, place.parent),
    isAdministered: permissions.admin,
  };
}

/** Null where there is none, or the reader does not see it. */
async function findParent(
  client: PlatformClient,
  collectionId: string | undefined,
): Promise<Place['parent']> {
  if (collectionId === undefined) return null;
  try {
    const { id, title } = await client.call(operations.getCollection, { params: { collectionId } });
    return { id, title };
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
