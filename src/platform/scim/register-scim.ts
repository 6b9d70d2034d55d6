import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  findOutage,
  listProvisionedGroups,
  listProvisionedMembers,
  listProvisionedUsers,
  loadProvisionedGroup,
  loadProvisionedUser,
  type ProvisionedGroup,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import { limitBodies } from '../api/limit-bodies.ts';
import { forbidSniffing, nameRequests, readJson } from '../api/prepare-requests.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseScimFilter } from './attribute-path.ts';
import { changeGroup, deprovisionGroup, groupNotFound, provisionGroup } from './change-groups.ts';
import { changeProvisionedUser, deprovisionUser, provisionUser, userNotFound } from './change-users.ts';
import { describeScimService, listResourceTypes, listScimSchemas } from './discovery.ts';
import { MAX_GROUP_MEMBERS, readGroup, readGroupPatch } from './group-change.ts';
import { listResponse, readWindow } from './page.ts';
import { presentScimGroup, presentScimUser } from './present-scim.ts';
import { authenticateProvisioner, type Provisioner } from './provisioner.ts';
import { ScimError } from './scim-error.ts';
import { Turns } from './turns.ts';
import { patchUser, readUser } from './user-draft.ts';

/** The largest bodies, in bytes: of a user, and of a group with all its members. */
const USER_BYTES = 64 * 1024;
const GROUP_BYTES = 4 * 1024 * 1024;

const MEDIA_TYPE = 'application/scim+json';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every request below `/scim/v2`. */
    provisioner: Provisioner;
  }
}

interface Call {
  readonly provisioner: Provisioner;
  /** The id in the path; empty where it has none. */
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The address of this service, without a trailing slash. */
  readonly base: string;
}

interface Answer {
  readonly status?: number;
  /** Absent for an answer without a body. */
  readonly body?: object;
}

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly bodyLimit: number;
  readonly handle: (call: Call) => Promise<Answer>;
}

/**
 * Mounts the service with which identity providers keep users and teams up to date, SCIM 2.0 (RFC 7643 and 7644), under
 * `/scim/v2/<organization>`.
 */
export async function registerScim(fastify: FastifyInstance, deps: PlatformDeps): Promise<void> {
  const turns = new Turns();
  await fastify.register(
    async (scim) => {
      scim.decorateRequest('provisioner', null as unknown as Provisioner);
      nameRequests(scim);
      forbidSniffing(scim);
      readJson(scim, [MEDIA_TYPE, 'application/json']);
      answerErrors(scim, deps);
      limitBodies(scim);
      for (const { method, url, bodyLimit, handle } of listScimRoutes(deps)) {
        scim.route<{ Params: { organizationId: string; id?: string } }>({
          method,
          url: `/:organizationId${url}`,
          bodyLimit,
          // Before the body is read, so that no megabytes are accepted from callers without access.
          onRequest: async (request) => {
            request.provisioner = await authenticateProvisioner(
              deps.db,
              request.headers.authorization,
              request.params.organizationId,
              {
                address: request.ip,
                userAgent: request.headers['user-agent'] ?? null,
                requestId: request.platformRequestId,
              },
            );
          },
          handler: async (request, reply) => {
            const { provisioner, params } = request;
            const answer = await turns.take(provisioner.organizationId, () =>
              handle({
                provisioner,
                id: idOf(params.id),
                query: request.query as Call['query'],
                body: request.body,
                base: `${deps.publicUrl}/scim/v2/${provisioner.organizationId}`,
              }),
            );
            return await send(reply, answer);
          },
        });
      }
    },
    { prefix: '/scim/v2' },
  );
}

function listScimRoutes({ db }: PlatformDeps): readonly Route[] {
  const read = (url: string, handle: Route['handle']): Route => ({
    method: 'GET',
    url,
    bodyLimit: USER_BYTES,
    handle,
  });
  const users = (method: Route['method'], url: string, handle: Route['handle']): Route => ({
    method,
    url: `/Users${url}`,
    bodyLimit: USER_BYTES,
    handle,
  });
  const groups = (method: Route['method'], url: string, handle: Route['handle']): Route => ({
    method,
    url: `/Groups${url}`,
    bodyLimit: GROUP_BYTES,
    handle,
  });

  /** Presents groups, with their members unless the request leaves them out. */
  async function viewGroups(rows: readonly ProvisionedGroup[], { query, base }: Call): Promise<object[]> {
    const ids = rows.map(({ team }) => team.id);
    const members = isShown('members', query) ? await listProvisionedMembers(db, ids) : null;
    return rows.map((row) =>
      select(presentScimGroup(row, members && (members.get(row.team.id) ?? []), base), query),
    );
  }

  return [
    read('/ServiceProviderConfig', async ({ base }) => ({ body: describeScimService(base) })),
    ...describeAll('/ResourceTypes', listResourceTypes),
    ...describeAll('/Schemas', listScimSchemas),

    users('GET', '', async ({ provisioner, query, base }) => {
      const filter = readFilter(query['filter'], {
        id: 'id',
        username: 'userName',
        externalid: 'externalId',
        emails: 'email',
        'emails.value': 'email',
      });
      const window = readWindow(query);
      const { count, rows } = await listProvisionedUsers(db, provisioner.organizationId, filter, window);
      const shown = rows.map((row) => select(presentScimUser(row, base), query));
      return { body: listResponse(count, window, shown) };
    }),
    users('POST', '', async ({ provisioner, body, base }) => ({
      status: 201,
      body: presentScimUser(await provisionUser(db, provisioner, readUser(body)), base),
    })),
    users('GET', '/:id', async ({ provisioner, id, query, base }) => {
      const found = await loadProvisionedUser(db, provisioner.organizationId, id);
      if (found === null) throw userNotFound();
      return { body: select(presentScimUser(found, base), query) };
    }),
    users('PUT', '/:id', async ({ provisioner, id, body, base }) => {
      const draft = readUser(body);
      return { body: presentScimUser(await changeProvisionedUser(db, provisioner, id, () => draft), base) };
    }),
    users('PATCH', '/:id', async ({ provisioner, id, body, base }) => ({
      body: presentScimUser(
        await changeProvisionedUser(db, provisioner, id, (user) => patchUser(user, body)),
        base,
      ),
    })),
    users('DELETE', '/:id', async ({ provisioner, id }) => {
      await deprovisionUser(db, provisioner, id);
      return { status: 204 };
    }),

    groups('GET', '', async (call) => {
      const { provisioner, query } = call;
      const filter = readFilter(query['filter'], {
        id: 'id',
        displayname: 'displayName',
        externalid: 'externalId',
        members: 'member',
        'members.value': 'member',
      });
      const window = readWindow(query);
      const { count, rows } = await listProvisionedGroups(db, provisioner.organizationId, filter, window);
      const few = isShown('members', query) ? withinMembers(rows) : rows;
      return { body: listResponse(count, window, await viewGroups(few, call)) };
    }),
    groups('POST', '', async (call) => {
      const made = await provisionGroup(db, call.provisioner, readGroup(call.body));
      return { status: 201, body: (await viewGroups([made], call))[0] as object };
    }),
    groups('GET', '/:id', async (call) => {
      const found = await loadProvisionedGroup(db, call.provisioner.organizationId, call.id);
      if (found === null) throw groupNotFound();
      return { body: (await viewGroups([found], call))[0] as object };
    }),
    groups('PUT', '/:id', async (call) => {
      const changed = await changeGroup(db, call.provisioner, call.id, readGroup(call.body));
      return { body: (await viewGroups([changed], call))[0] as object };
    }),
    // Without the group in the answer, which may have thousands of members (RFC 7644, 3.5.2).
    groups('PATCH', '/:id', async ({ provisioner, id, body }) => {
      await changeGroup(db, provisioner, id, readGroupPatch(body));
      return { status: 204 };
    }),
    groups('DELETE', '/:id', async ({ provisioner, id }) => {
      await deprovisionGroup(db, provisioner, id);
      return { status: 204 };
    }),
  ];

  function describeAll(url: string, list: (base: string) => readonly { readonly id: string }[]): Route[] {
    return [
      read(url, async ({ base }) => {
        const all = list(base);
        return { body: listResponse(all.length, { offset: 0 }, all) };
      }),
      read(`${url}/:id`, async ({ base, id }) => {
        const found = list(base).find((one) => one.id === id);
        if (found === undefined) throw new ScimError(404, null, 'There is no description with this id.');
        return { body: found };
      }),
    ];
  }
}

/** The fields to look for, by the names that attributes have in filters. */
function readFilter<Field extends string>(
  text: unknown,
  fields: Readonly<Record<string, Field>>,
): { readonly [Name in Field]?: string } {
  if (text === undefined) return {};
  const found: { [Name in Field]?: string } = {};
  for (const { attribute, value } of parseScimFilter(String(text))) {
    const field = Object.hasOwn(fields, attribute) ? fields[attribute] : undefined;
    if (field === undefined || typeof value !== 'string' || found[field] !== undefined)
      throw new ScimError(
        400,
        'invalidFilter',
        `A filter may compare ${Object.keys(fields).join(', ')}, each once and with a text in quotes.`,
      );
    found[field] = value;
  }
  return found;
}

/** The first of them that have together no more members than one group may have; at least one. */
function withinMembers(rows: readonly ProvisionedGroup[]): readonly ProvisionedGroup[] {
  let members = 0;
  return rows.filter((row, index) => {
    members += row.members;
    return index === 0 || members <= MAX_GROUP_MEMBERS;
  });
}

/** A resource without the attributes that nobody asked for (RFC 7644, 3.9); its id and its schemas are always there. */
function select(resource: object, query: Call['query']): object {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => name === 'id' || name === 'schemas' || isShown(name, query)),
  );
}

function isShown(attribute: string, { attributes, excludedAttributes }: Call['query']): boolean {
  const name = attribute.toLowerCase();
  const names = (list: unknown) =>
    String(list)
      .toLowerCase()
      .split(',')
      .map((one) => one.trim().split('.')[0]);
  if (attributes !== undefined) return names(attributes).includes(name);
  return excludedAttributes === undefined || !names(excludedAttributes).includes(name);
}

/** Ids have letters, digits, `-` and `_` only; those of schemas `:` and `.` too. Any other names nothing. */
function idOf(sent: string | undefined): string {
  return sent !== undefined && /^[\w:.-]{1,100}$/.test(sent) ? sent : '';
}

async function send(reply: FastifyReply, { status = 200, body }: Answer): Promise<FastifyReply> {
  reply.code(status).header('cache-control', 'no-store');
  if (body === undefined) return await reply.send();
  if (status === 201) reply.header('location', (body as { meta: { location: string } }).meta.location);
  return await reply.type(`${MEDIA_TYPE}; charset=utf-8`).send(JSON.stringify(body));
}

function answerErrors(scim: FastifyInstance, { log }: Pick<PlatformDeps, 'log'>): void {
  scim.setErrorHandler(async (error, request, reply) => {
    const known = toScimError(error) ?? describeFailure(error, request);
    if (known.status >= 500)
      log.error(
        { err: error, requestId: request.platformRequestId, route: request.routeOptions.url },
        'request failed',
      );
    if (known.status === 401) reply.header('www-authenticate', 'Bearer');
    if (known.status === 429 || known.status === 503) reply.header('retry-after', 5);
    return await send(reply, { status: known.status, body: known.toBody() });
  });
  scim.setNotFoundHandler(async (_request, reply) => {
    const error = new ScimError(
      404,
      null,
      'There is nothing with this method and address; it has /Users and /Groups.',
    );
    return await send(reply, { status: error.status, body: error.toBody() });
  });
}

/** Null for an internal error. */
function toScimError(error: unknown): ScimError | null {
  if (error instanceof ScimError) return error;
  if (error instanceof ApiError) return new ScimError(error.status, null, error.message);
  const { statusCode } = error as { statusCode?: unknown };
  if (statusCode === 413)
    return new ScimError(413, null, 'The body is larger than provisioning accepts; send less at once.');
  if (statusCode === 415)
    return new ScimError(415, null, `The body must be JSON: send it with Content-Type: ${MEDIA_TYPE}.`);
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null;
  return new ScimError(
    statusCode,
    statusCode === 400 ? 'invalidSyntax' : null,
    'The body is not valid JSON.',
  );
}

function describeFailure(error: unknown, { platformRequestId }: FastifyRequest): ScimError {
  const outage = findOutage(error);
  if (outage !== null) return new ScimError(503, null, outage.message);
  return new ScimError(
    500,
    null,
    `The server had an internal error; its log has more under ${platformRequestId}.`,
  );
}
