import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, revokeToken } from '../../src/platform/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { type Served, startServe } from './start-serve.ts';

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
});
