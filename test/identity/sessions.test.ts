import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEventResource } from '../../src/contract/index.ts';
import { hashToken } from '../../src/identity/index.ts';
import { createToken, revokeToken } from '../../src/platform/index.ts';
import { newId, openStore, type Store } from '../../src/store/index.ts';
import { ensureMember, ensureUser } from '../../src/store/organizations.ts';
import { insertSession } from '../../src/store/sessions.ts';
import { type Served, startServe } from '../server/start-serve.ts';

describe('sessions in two processes on one database', () => {
  let served: Served;
  let other: { readonly url: string };
  let store: Store;
  beforeAll(async () => {
    served = await startServe();
    other = await served.startAnother();
    store = await openStore({
      dataDir: served.env['DATA_DIR'] ?? '',
      databaseUrl: served.env['DATABASE_URL'] ?? '',
    });
  });
  afterAll(async () => {
    await store?.close();
    await served?.close();
  });

  async function signIn(url: string, token: string): Promise<string> {
    const body = new URLSearchParams({ token, next: '/status' });
    const answer = await fetch(`${url}/login`, { method: 'POST', body, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/status']);
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  const statusOf = async (url: string, cookie: string) =>
    (await fetch(`${url}/status`, { headers: { cookie }, redirect: 'manual' })).status;

  it('are known to both, and what ends in one is over in the other with its next request', async () => {
    const { id, token } = await createToken(store.db, { name: 'me', role: 'read' });
    const first = await signIn(served.url, token);
    const second = await signIn(other.url, token);
    for (const cookie of [first, second]) {
      expect([await statusOf(served.url, cookie), await statusOf(other.url, cookie)]).toEqual([200, 200]);
    }
    await fetch(`${served.url}/logout`, { method: 'POST', headers: { cookie: first }, redirect: 'manual' });
    expect([await statusOf(other.url, first), await statusOf(served.url, first)]).toEqual([303, 303]);
    expect(await statusOf(served.url, second)).toBe(200);
    await revokeToken(store.db, id);
    expect([await statusOf(served.url, second), await statusOf(other.url, second)]).toEqual([303, 303]);
  });

  it.each([
    ['removed', (path: string, token: string) => call(served.url, 'DELETE', path, token)],
    [
      'disabled',
      (path: string) =>
        store.db.execute(
          sql`update members set disabled_at = now() where user_id = ${path.split('/').at(-1) ?? ''}`,
        ),
    ],
  ])(
    'and tokens of a member who was %s in one process are over in the other with the next request',
    async (_how, act) => {
      const { token: admin, organization } = await createToken(store.db, { name: 'admin', role: 'admin' });
      const email = `${newId()}@example.com`.toLowerCase();
      const { id: userId } = await ensureUser(store.db, { id: newId(), displayName: 'Ann', email });
      await ensureMember(store.db, { organizationId: organization.id, userId, role: 'edit' });
      const secret = randomBytes(32).toString('base64url');
      const session = {
        id: newId(),
        hash: hashToken(secret),
        userId,
        provider: 'password',
        displayName: 'Ann',
      };
      await insertSession(store.db, session, new Date());
      const cookie = `docloom-session=${secret}`;
      const body = { name: 'Mine', role: 'edit', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
      const made = await call(served.url, 'POST', '/user/tokens', `dls_${secret}`, body);
      const { token } = (await made.json()) as { token: string };
      const org = `/orgs/${organization.id}`;
      const create = async (path: string, body: object) =>
        (await (await call(served.url, 'POST', path, admin, body)).json()) as { id: string };
      const { id: spaceId } = await create(`${org}/spaces`, { title: 'Guide' });
      const changes = [{ type: 'write', path: 'README.md', text: '# Guide\n' }];
      const { id: changeId } = await create(`/spaces/${spaceId}/change-requests`, { subject: 'All' });
      await create(`/spaces/${spaceId}/change-requests/${changeId}/content`, { changes });
      await create(`/spaces/${spaceId}/change-requests/${changeId}/merge`, {});
      const hostname = `org-${newId()
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '0')}`;
      await call(served.url, 'PATCH', org, admin, { hostname });
      // A site that is not published: members alone see it.
      const site = { title: 'Draft', visibility: 'public', spaces: [spaceId] };
      const { basename } = (await create(`${org}/sites`, site)) as unknown as { basename: string };
      const draft = `${other.url}/s/${hostname}/${basename}`;
      const opened = async () => [
        await statusOf(other.url, cookie),
        (await fetch(`${other.url}/spaces/${spaceId}`, { headers: { cookie }, redirect: 'manual' })).status,
        (await call(other.url, 'GET', `/spaces/${spaceId}`, token)).status,
        (await fetch(draft, { headers: { cookie }, redirect: 'manual' })).status,
        (await call(other.url, 'GET', `/spaces/${spaceId}/content/files`, `dls_${secret}`)).status,
      ];
      expect(await opened()).toEqual([200, 200, 200, 200, 200]);
      await act(`/orgs/${organization.id}/members/${userId}`, admin);
      const [, , ofToken, ...rest] = await opened();
      expect(rest).toEqual([404, 401]);
      expect([401, 404]).toContain(ofToken);
      expect((await opened()).slice(0, 2)).toEqual([303, 303]);
    },
  );

  const call = (url: string, method: string, path: string, token: string, body?: object) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('names the address and the browser of who acts on a page, and believes nobody who only says so', async () => {
    const { token, organization } = await createToken(store.db, { name: 'admin', role: 'admin' });
    const forged = { 'docloom-page-origin': `${Buffer.from('["6.6.6.6","x","y"]').toString('base64url')}.x` };
    await fetch(`${served.url}/v1/orgs/${organization.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...forged },
      body: JSON.stringify({ title: 'Forged' }),
    });
    const answer = await call(served.url, 'GET', `/orgs/${organization.id}/audit?limit=1`, token);
    const { items } = (await answer.json()) as { items: AuditEventResource[] };
    expect(items[0]).toMatchObject({ action: 'organization.update', actor: { address: '127.0.0.1' } });
  });
});
