import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken } from '../../src/identity/index.ts';
import { createToken } from '../../src/platform/index.ts';
import { deleteSession, insertSession, newId } from '../../src/store/index.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { startProcesses, type TestProcess, type TestProcesses } from '../support/start-processes.ts';
import { waitFor } from '../support/wait-for.ts';

const HOST = 'acme.docs.example';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  /** `name=value` of the cookies that it sets. */
  readonly cookies: readonly string[];
}

describeAtLength('sites in two processes of docloom serve', false, () => {
  let processes: TestProcesses;
  let all: readonly TestProcess[];
  let ofOrganization: string;
  let spaceId: string;
  let userId: string;
  let call: (
    method: string,
    path: string,
    body?: object,
  ) => Promise<{ id: string; basename: string; urls: { published: string } }>;

  beforeAll(async () => {
    processes = await startProcesses({ SITES_URL: 'http://*.docs.example' });
    all = [processes.first, processes.second];
    const { token, organization } = await createToken(processes.store.db, { name: 'test', role: 'admin' });
    call = async (method, path, body) => {
      const answer = await fetch(`${processes.first.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([path, answer.ok]).toEqual([path, true]);
      return (await answer.json()) as Awaited<ReturnType<typeof call>>;
    };
    ofOrganization = `/orgs/${organization.id}`;
    userId = (await call('GET', '/user')).id;
    await call('PATCH', ofOrganization, { hostname: 'acme' });
    spaceId = (await call('POST', `${ofOrganization}/spaces`, { title: 'Guide' })).id;
    const { id: changeId } = await call('POST', `/spaces/${spaceId}/change-requests`, { subject: 'All' });
    const changes = [{ type: 'write', path: 'README.md', text: '# A shy quokka\n' }];
    await call('POST', `/spaces/${spaceId}/change-requests/${changeId}/content`, { changes });
    await call('POST', `/spaces/${spaceId}/change-requests/${changeId}/merge`, {});
  });
  afterAll(() => processes?.close());

  /** Asks a process as the server of a host. */
  const ask = async ({ url }: TestProcess, path: string, host: string, cookie = ''): Promise<Answer> =>
    await new Promise((resolve, reject) => {
      request(`${url}${path}`, { headers: { host, cookie } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(parts).toString('utf8'),
            location: answer.headers.location,
            cookies: (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0] ?? ''),
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  it('closes in both once its share link is switched off in one, and opens again', async () => {
    const made = { title: 'Docs', visibility: 'share-link', spaces: [spaceId] };
    const { id: siteId } = await call('POST', `${ofOrganization}/sites`, made);
    const ofSite = `${ofOrganization}/sites/${siteId}`;
    await call('POST', `${ofSite}/publish`, {});
    const link = await call('POST', `${ofSite}/share-links`, { name: 'Friends' });
    const { pathname, searchParams } = new URL(link.urls.published);

    const cookie = `docloom-share-${siteId}=${searchParams.get('shareKey')}`;
    const surfaces = ['', '/llms-full.txt', '/~/search?q=quokka', '/feed.xml'];
    const statuses = async () =>
      (
        await Promise.all(
          all.map((one) =>
            Promise.all(
              surfaces.map(async (path) => {
                const answer = await ask(one, `${pathname.replace(/\/$/, '')}${path}`, HOST, cookie);
                const isThere = answer.text.includes('quokka');
                return answer.status === 200 ? isThere : answer.status === 404 ? isThere && 'told' : 'other';
              }),
            ),
          ),
        )
      ).flat();
    const everywhere = (value: boolean) => Array.from({ length: all.length * surfaces.length }, () => value);
    await waitFor(async () => (await statuses()).every((status) => status === true));
    for (const active of [false, true]) {
      await call('PATCH', `${ofSite}/share-links/${link.id}`, { active });
      await waitFor(async () => (await statuses()).every((status) => status === active));
      expect(await statuses()).toEqual(everywhere(active));
    }
  });

  it('lets a member read what is not published at a host of sites, as long as their session lives', async () => {
    const site = await call('POST', `${ofOrganization}/sites`, {
      title: 'Draft',
      visibility: 'public',
      spaces: [spaceId],
    });
    const path = `/${site.basename}`;
    const { first, second, store } = processes;
    expect((await ask(second, path, HOST)).status).toBe(404);

    const secret = randomBytes(32).toString('base64url');
    const session = {
      id: newId(),
      hash: hashToken(secret),
      userId,
      provider: 'password',
      displayName: 'Ada',
    };
    await insertSession(store.db, session, new Date());
    const signedIn = `docloom-session=${secret}`;
    // The host sends the browser to the team's pages, these back with a ticket, which another process takes.
    const asked = await ask(first, `/~/sign-in?to=${encodeURIComponent(path)}`, HOST);
    const [asking = ''] = asked.cookies;
    const toPages = new URL(asked.location ?? '');
    expect(`${toPages.origin}${toPages.pathname}`).toBe(`${first.url}/site-sign-in`);
    const pagesHost = new URL(first.url).host;
    const refused = await ask(first, toPages.pathname + toPages.search, pagesHost);
    expect(refused.location).toMatch(/^\/login\?next=/);
    const back = await ask(first, toPages.pathname + toPages.search, pagesHost, signedIn);
    const toHost = new URL(back.location ?? '');
    expect(`${toHost.origin}${toHost.pathname}`).toBe(`http://${HOST}/~/sign-in`);
    const entered = await ask(second, toHost.pathname + toHost.search, HOST, asking);
    expect([entered.status, entered.location]).toEqual([303, path]);
    const reader = entered.cookies.find((each) => each.startsWith('docloom-reader=')) ?? '';
    for (const one of all) expect((await ask(one, path, HOST, reader)).text).toContain('quokka');
    // It is the session of nobody: not of the pages, not at another host.
    expect((await ask(first, '/account', pagesHost, reader)).location).toMatch(/^\/login/);
    expect((await ask(first, path, 'other.docs.example', reader)).status).toBe(404);

    await deleteSession(store.db, hashToken(secret), new Date());
    for (const one of all) expect((await ask(one, path, HOST, reader)).status).toBe(404);
  });
});
