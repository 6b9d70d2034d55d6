import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken } from '../../../src/identity/index.ts';
import { createToken } from '../../../src/platform/index.ts';
import { findUserByEmail, insertSession, newId } from '../../../src/store/index.ts';
import { describeAtLength } from '../../support/describe-at-length.ts';
import { proveDomain } from '../../support/prove-domain.ts';
import { startProcesses, type TestProcesses } from '../../support/start-processes.ts';
import { createScimToken } from './scim-caller.ts';

let processes: TestProcesses;
let administrator: Awaited<ReturnType<typeof createToken>>;

const send = (url: string, method: string, token: string, body?: object) =>
  fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describeAtLength('two processes of docloom serve', false, () => {
  beforeAll(async () => {
    processes = await startProcesses();
    administrator = await createToken(processes.store.db, { name: 'test', role: 'admin' });
  });
  afterAll(() => processes?.close());

  it.each([
    ['deactivated', 'PATCH', { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }],
    ['deleted', 'DELETE', undefined],
  ] as const)(
    'who is %s through one process is out in the other with the next request: pages, sessions, tokens and files',
    async (how, method, body) => {
      const { store, first, second } = processes;
      const { organization, token: adminToken } = administrator;
      const platform = { deps: { db: store.db } as never, organizationId: organization.id };
      await proveDomain(store.db, organization.id, 'corp.example');
      const admin = await findAdmin();
      const { token: scimToken } = await createScimToken(platform, admin);
      const users = `${first.url}/scim/v2/${organization.id}/Users`;
      const email = `${how}@corp.example`;
      expect((await send(users, 'POST', scimToken, { userName: email })).status).toBe(201);
      const userId = (await findUserByEmail(store.db, email))?.id ?? '';
      await send(`${first.url}/v1/orgs/${organization.id}/members/${userId}`, 'PATCH', adminToken, {
        role: 'read',
      });

      const secret = randomBytes(32).toString('base64url');
      const session = {
        id: newId(),
        hash: hashToken(secret),
        userId,
        provider: 'password',
        displayName: how,
      };
      await insertSession(store.db, session, new Date());
      const { token } = await createScimToken(platform, userId, { scope: 'api', organizationId: null });
      const spaces = await send(`${first.url}/v1/orgs/${organization.id}/spaces`, 'POST', adminToken, {
        title: how,
      });
      const { id: spaceId } = (await spaces.json()) as { id: string };

      const cookie = `docloom-session=${secret}`;
      const page = async (path: string) =>
        (await fetch(`${second.url}${path}`, { headers: { cookie }, redirect: 'manual' })).status;
      const opened = async () => ({
        page: await page(`/spaces/${spaceId}`),
        session: (await send(`${second.url}/v1/spaces/${spaceId}`, 'GET', `dls_${secret}`)).status,
        token: (await send(`${second.url}/v1/spaces/${spaceId}`, 'GET', token)).status,
        files: (await send(`${second.url}/v1/spaces/${spaceId}/content/files`, 'GET', token)).status,
      });
      expect(await opened()).toEqual({ page: 200, session: 200, token: 200, files: 200 });

      const removed = await send(`${users}/${userId}`, method, scimToken, body);
      expect(removed.ok).toBe(true);
      // The first requests after the answer, so however slow the machine is.
      const after = await opened();
      expect(after.page).toBe(303);
      expect(after.session).toBe(401);
      expect([401, 404]).toContain(after.token);
      expect([401, 404]).toContain(after.files);
    },
  );

  async function findAdmin(): Promise<string> {
    const answer = await send(`${processes.first.url}/v1/user`, 'GET', administrator.token);
    return ((await answer.json()) as { id: string }).id;
  }
});
