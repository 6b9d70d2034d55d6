import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEventResource } from '../../../src/contract/index.ts';
import {
  claimEmailDomain,
  ensureMember,
  insertOrganization,
  newId,
  recordAudit,
  setEmailDomainProved,
  tables,
} from '../../../src/store/index.ts';
import { casesAtLength } from '../../support/describe-at-length.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let base: string;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  base = `/orgs/${platform.organizationId}`;
});
afterAll(() => platform?.close());

async function list(query = ''): Promise<AuditEventResource[]> {
  const answer = await platform.api('GET', `${base}/audit${query}`);
  expect(answer.status).toBe(200);
  return answer.body.items;
}

/** What the call recorded, oldest first. */
async function recordedBy(change: () => Promise<unknown>): Promise<AuditEventResource[]> {
  const [before] = await list('?limit=1');
  await change();
  return (await list('?limit=100'))
    .filter((event) => before === undefined || BigInt(event.id) > BigInt(before.id))
    .toReversed();
}

describe('changes of the platform', () => {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await platform.api(method, path, body === undefined ? {} : { body });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const content = { changes: [{ type: 'write', path: 'a.md', text: '# A\n' }] };

  it.each<[name: string, actions: string[], change: () => Promise<unknown>]>([
    [
      'settings of the organization',
      ['organization.update'],
      () => call('PATCH', base, { title: 'Renamed' }),
    ],
    [
      'settings that are as they were',
      [],
      async () => await call('PATCH', base, { title: (await call('GET', base)).title }),
    ],
    [
      'a space',
      ['space.create', 'space.update', 'space.duplicate', 'space.delete', 'space.restore'],
      async () => {
        const { id } = await call('POST', `${base}/spaces`, { title: 'Guide' });
        await call('PATCH', `/spaces/${id}`, { visibility: 'public' });
        await call('POST', `/spaces/${id}/duplicate`);
        await call('DELETE', `/spaces/${id}`);
        await call('DELETE', `/spaces/${id}`);
        await call('POST', `/spaces/${id}/restore`);
      },
    ],
    [
      'a collection, and a space in it',
      ['collection.create', 'collection.update', 'space.create', 'space.move', 'collection.delete'],
      async () => {
        const { id } = await call('POST', `${base}/collections`, { title: 'Guides' });
        await call('PATCH', `/collections/${id}`, { defaultLevel: 'read' });
        const space = await call('POST', `${base}/spaces`, { title: 'Guide' });
        await call('POST', `/spaces/${space.id}/move`, { parent: id });
        await call('DELETE', `/collections/${id}`);
      },
    ],
    [
      'a merge',
      [
        'space.create',
        'change-request.create',
        'change-request.update',
        'change-request.change-content',
        'change-request.merge',
      ],
      async () => {
        const { id } = await call('POST', `${base}/spaces`, { title: 'Guide' });
        const change = await call('POST', `/spaces/${id}/change-requests`, { subject: 'Begin' });
        await call('PATCH', `/spaces/${id}/change-requests/${change.id}`, { subject: 'Start' });
        await call('PATCH', `/spaces/${id}/change-requests/${change.id}`, { subject: 'Start' });
        await call('POST', `/spaces/${id}/change-requests/${change.id}/content`, content);
        await call('POST', `/spaces/${id}/change-requests/${change.id}/content`, content);
        await call('POST', `/spaces/${id}/change-requests/${change.id}/merge`);
      },
    ],
    [
      'a template',
      ['space.create', 'template.apply', 'change-request.merge'],
      async () => {
        const { id } = await call('POST', `${base}/spaces`, { title: 'Guide' });
        await call('POST', `/spaces/${id}/content/template`, { id: 'blank' });
      },
    ],
    [
      'a specification',
      ['openapi.create', 'openapi.update', 'openapi.update', 'openapi.delete'],
      async () => {
        const source = { text: 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n' };
        await call('POST', `${base}/openapi`, { slug: 'api', source });
        await call('PUT', `${base}/openapi/api`, { source });
        await call('PATCH', `${base}/openapi/api`, { visibility: 'public' });
        await call('DELETE', `${base}/openapi/api`);
        await call('DELETE', `${base}/openapi/api`);
      },
    ],
    [
      'a translation',
      ['space.create', 'translation.create', 'translation.update', 'translation.run', 'translation.delete'],
      async () => {
        const space = await call('POST', `${base}/spaces`, { title: 'Guide' });
        const { id } = await call('POST', `${base}/translations`, {
          source: { space: space.id },
          language: 'de',
        });
        await call('PUT', `${base}/translations/${id}`, { glossary: [] });
        await call('POST', `${base}/translations/${id}/run`);
        await call('DELETE', `${base}/translations/${id}`);
      },
    ],
    [
      'an import that a person started',
      ['space.create', 'git.import'],
      async () => {
        const space = await call('POST', `${base}/spaces`, { title: 'Guide' });
        await call('POST', `/spaces/${space.id}/git/import`, {
          url: 'https://forge.example/a.git',
          ref: 'refs/heads/main',
          gitProviderCredentials: undefined,
        });
      },
    ],
  ])('%s: %j', async (_name, actions, change) => {
    const events = await recordedBy(change);
    expect(events.map(({ action }) => action)).toEqual(actions);
    for (const { outcome, actor, requestId } of events) {
      expect(outcome).toBe('success');
      expect(actor).toMatchObject({ kind: 'user', name: 'Operator', address: '127.0.0.1' });
      expect(requestId).toBeTruthy();
    }
  });

  it('names what was before and what is now, and only the fields that differ', async () => {
    const title = `Title ${Date.now()}`;
    const was = (await call('GET', base)).title;
    const [event] = await recordedBy(() => call('PATCH', base, { title, ai: false }));
    expect(event).toMatchObject({ before: { title: was }, after: { title } });
    expect(Object.keys(event?.after ?? {})).toEqual(['title']);
    expect(event?.target).toMatchObject({ kind: 'organization', id: platform.organizationId });
  });

  it('is undone with the change that it is about', async () => {
    const events = await recordedBy(async () => {
      const { id } = await call('POST', `${base}/spaces`, { title: 'Guide' });
      const answer = await platform.api('POST', `/spaces/${id}/move`, {
        body: { position: { before: 'x' } },
      });
      expect(answer.status).toBe(400);
    });
    expect(events.map(({ action }) => action)).toEqual(['space.create']);
  });
});

describe('the log', () => {
  it('counts no further than 10,000 events', async () => {
    const { body } = await platform.api('POST', '/orgs', { body: { title: 'Busy' } });
    await platform.deps.db.execute(sql`
      insert into ${tables.auditEvents} (organization_id, action, outcome, actor_kind)
      select ${body.id}, 'busy.work', 'success', 'nobody' from generate_series(1, 10001)`);
    const list = async (query: string) => (await platform.api('GET', `/orgs/${body.id}/audit?${query}`)).body;
    const found = await list('action=busy.work&limit=1');
    expect([found.count, found.items.length, found.next !== undefined]).toEqual([10_000, 1, true]);
    expect((await list('action=organization.create')).count).toBe(1);
  });

  it('is filtered by action, actor, target, outcome and time, and read page by page', async () => {
    const { db } = platform.deps;
    const { organizationId } = platform;
    for (let index = 0; index < 25; index++)
      await recordAudit(db, {
        organizationId,
        action: index % 5 === 0 ? 'filter.odd' : 'filter.even',
        outcome: index === 7 ? 'refused' : 'success',
        actor: { kind: 'user', id: index < 3 ? 'ann' : 'bob', name: null },
        target: { kind: 'thing', id: `thing-${index}` },
      });
    await recordAudit(db, {
      organizationId: null,
      action: 'filter.odd',
      actor: { kind: 'nobody', id: null, name: null },
    });
    const count = async (query: string) => (await platform.api('GET', `${base}/audit?${query}`)).body.count;
    expect(await count('action=filter')).toBe(25);
    expect(await count('action=filter.odd')).toBe(5);
    expect(await count('action=filt')).toBe(0);
    expect(await count('action=filter&actor=ann')).toBe(3);
    expect(await count('target=thing-3')).toBe(1);
    expect(await count('action=filter&outcome=refused')).toBe(1);
    expect(await count('action=filter&since=2999-01-01T00:00:00Z')).toBe(0);
    expect(await count('action=filter&until=2999-01-01T00:00:00%2B0100')).toBe(25);

    const pages: AuditEventResource[] = [];
    let page = '';
    do {
      const { body } = await platform.api('GET', `${base}/audit?action=filter&limit=10${page}`);
      pages.push(...body.items);
      page = body.next ? `&page=${body.next.page}` : '';
    } while (page !== '');
    const targets = pages.map(({ target }) => target?.id);
    expect(targets).toEqual(Array.from({ length: 25 }, (_, index) => `thing-${24 - index}`));
  });

  it.each([
    'action=%25',
    'action=a.b.c',
    'since=yesterday',
    'since=2026-13-01T00:00:00Z',
    'until=0000-01-01T00:00:00Z',
  ])('refuses the filter %s with 400', async (query) => {
    expect((await platform.api('GET', `${base}/audit?${query}`)).status).toBe(400);
  });

  it.each(
    casesAtLength(
      'readers who lose their rights while they export',
      ['disabled'],
      ['removed', 'without the token'],
    ),
  )('breaks off an export whose reader is %s meanwhile', async (how) => {
    const { body: busy } = await platform.api('POST', '/orgs', { body: { title: 'Exported' } });
    const { db } = platform.deps;
    await db.execute(sql`
        insert into ${tables.auditEvents} (organization_id, action, outcome, actor_kind, user_agent)
        select ${busy.id}, 'busy.work', 'success', 'nobody', repeat('x', 290) from generate_series(1, 100000)`);
    const { userId, token } = await createMember(platform, 'Reader', {});
    await ensureMember(db, { organizationId: busy.id, userId, role: 'admin' });
    const answer = await fetch(`${platform.url}/v1/orgs/${busy.id}/audit/export`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    const member = `/orgs/${busy.id}/members/${userId}`;
    if (how === 'disabled') await platform.api('PATCH', member, { body: { disabled: true } });
    else if (how === 'removed') await platform.api('DELETE', member);
    else
      await db
        .update(tables.apiTokens)
        .set({ revokedAt: new Date() })
        .where(eq(tables.apiTokens.userId, userId));
    const readOn = async () => {
      while ((await reader?.read())?.done === false);
    };
    await expect(readOn()).rejects.toThrow();
  });

  it('is exported as NDJSON, with the same filters, and the export is recorded', async () => {
    const { body, headers } = await platform.api('GET', `${base}/audit/export?action=filter.odd`);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const events = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toEqual((await list('?action=filter.odd')).map((event) => event));
    expect((await list('?limit=1'))[0]).toMatchObject({ action: 'audit.export' });
  });

  it('has sign-ins of its members, and of nobody else', async () => {
    const { db } = platform.deps;
    const member = await createMember(platform, 'Member', { role: 'read' });
    const stranger = await createMember(platform, 'Stranger', {});
    for (const { userId } of [member, stranger])
      await recordAudit(db, {
        organizationId: null,
        action: 'session.start',
        outcome: 'refused',
        actor: { kind: 'nobody', id: null, name: null },
        target: { kind: 'user', id: userId },
      });
    const events = await list('?action=session.start');
    expect(events.map(({ target }) => target?.id)).toEqual([member.userId]);
  });

  it('has what members do outside it only since they joined, and if they are its own people', async () => {
    const { db } = platform.deps;
    const { organizationId } = platform;
    const signIn = (userId: string, action: string) =>
      recordAudit(db, {
        organizationId: null,
        action,
        actor: { kind: 'user', id: userId, name: null, address: '192.0.2.7' },
      });
    const late = await createMember(platform, 'Late', {});
    // Before the membership by more than the millisecond to which both are stored.
    await db.insert(tables.auditEvents).values({
      at: new Date(Date.now() - 60_000),
      action: 'own.before',
      outcome: 'success',
      actorKind: 'user',
      actorId: late.userId,
    });
    await ensureMember(db, { organizationId, userId: late.userId, role: 'read' });
    await signIn(late.userId, 'own.after');
    const shared = await createMember(platform, 'Shared', { role: 'read' });
    await insertOrganization(db, { id: newId(), title: 'Elsewhere', adminId: shared.userId });
    await signIn(shared.userId, 'own.shared');
    expect((await list('?action=own')).map(({ action }) => action)).toEqual(['own.after']);

    const change = { email: 'shared@proved.example', emailVerifiedAt: new Date() };
    await db.update(tables.users).set(change).where(eq(tables.users.id, shared.userId));
    const domain = 'proved.example';
    await claimEmailDomain(db, { organizationId, domain, challenge: 'challenge' });
    expect(await list('?action=own.shared')).toEqual([]);
    await setEmailDomainProved(db, organizationId, domain);
    expect(await list('?action=own.shared')).toHaveLength(1);
  });
});
