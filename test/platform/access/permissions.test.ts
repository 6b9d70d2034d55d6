/** The `permissions` of resources, held against what really happens when their reader does what each of them promises. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/index.ts';
import { casesAtLength, isWhole } from '../../support/describe-at-length.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

interface Reader {
  readonly name: string;
  readonly token: string;
  /** The only resource at which `npm test` tries this reader. */
  readonly only?: 'team' | 'site' | undefined;
}

const triesAll = isWhole('the permissions of owners of a team and editors of a site, elsewhere');

/** What one flag stands for: a call that is refused exactly where the flag is not set. */
interface Probe {
  readonly flag: string;
  readonly method: string;
  readonly path: string | (() => Promise<string>);
  readonly body?: () => object;
}

/**
 * The flags that no call can be held against yet, and the operations that they wait for. They follow from the role alone.
 * Whoever adds one of these operations removes the row, and compares the flag instead.
 */
const WITHOUT_OPERATION: Readonly<Record<string, RegExp>> = {
  viewBilling: /\/(billing|subscription|invoices)\b/,
  listIntegrations: /\/orgs\/[^/]+\/integrations\b/,
  listInstallations: /\/installations\b/,
  installIntegration: /\/integrations\b/,
};

let platform: TestPlatform;
let org: string;
let readers: readonly Reader[];
let collection: string;
let space: string;
let locked: string;
let ruled: string;
let open: string;
let site: string;
let team: string;
let translation: string;
let made = 0;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  const { api, organizationId } = platform;
  org = `/orgs/${organizationId}`;
  const create = async (path: string, body: object) =>
    (await api('POST', `${org}/${path}`, { body })).body.id;
  collection = await create('collections', { title: 'Guides' });
  [space, locked, ruled, open] = [
    await create('spaces', { title: 'Inside', parent: collection }),
    await create('spaces', { title: 'Locked' }),
    await create('spaces', { title: 'Ruled' }),
    await create('spaces', { title: 'Open' }),
  ];
  const member = async (name: string, options: { role?: string | null; limit?: string }) => ({
    name,
    ...(await createMember(platform, name, options)),
  });
  const membersOf = (roles: readonly string[]) => Promise.all(roles.map((role) => member(role, { role })));
  const guest = await member('guest', { role: null });
  const manager = await member('guest with a grant on a space', { role: null });
  const maker = await member('guest with a grant on a collection', { role: null });
  const owner = { ...(await member('guest who owns a team', { role: null })), only: 'team' } as const;
  const editor = {
    ...(await member('guest with a grant on a site', { role: null })),
    only: 'site',
  } as const;
  const disabled = await member('disabled', { role: 'admin' });
  const capped = await member('capped token', { role: 'admin', limit: 'comment' });
  const stranger = await member('stranger', {});
  readers = casesAtLength(
    'the permissions of readers with every role',
    [...(await membersOf(['create', 'edit'])), manager, editor, owner, capped],
    [...(await membersOf(['admin', 'review', 'comment', 'read'])), guest, maker, disabled, stranger],
  );
  await api('PATCH', `${org}/members/${disabled.userId}`, { body: { disabled: true } });
  team = (await api('PUT', `${org}/teams`, { body: { title: 'Writers' } })).body.id;
  await api('PUT', `${org}/teams/${team}/members/${owner.userId}`, { body: { role: 'owner' } });
  for (const id of [space, locked, ruled])
    await api('POST', `/spaces/${id}/permissions`, { body: { role: 'admin', users: [manager.userId] } });
  await api('POST', `/collections/${collection}/permissions`, {
    body: { role: 'create', users: [maker.userId] },
  });
  site = await create('sites', { title: 'Site', visibility: 'share-link', spaces: [space] });
  await api('POST', `${org}/sites/${site}/permissions`, {
    body: { role: 'create', users: [editor.userId] },
  });
  await api('PATCH', `/spaces/${locked}`, { body: { editMode: 'locked' } });
  await api('PATCH', `/spaces/${open}`, { body: { visibility: 'public' } });
  const rule = { rule: 'require_specific_reviewers', users: [manager.userId] };
  await api('PATCH', `/spaces/${ruled}`, { body: { mergeRules: { type: 'rules', rules: [rule] } } });
  translation = await create('translations', { source: { space }, language: 'de' });
  await api('PUT', `${org}/openapi/pets`, { body: { source: { text: 'openapi: 3.0.0' } } });
});
afterAll(() => platform?.close());

/** A new change request with a change, so that each merge has something to do. */
async function propose(spaceId: string): Promise<string> {
  made += 1;
  const path = `/spaces/${spaceId}/change-requests`;
  const { id } = (await platform.api('POST', path, { body: { subject: `Change ${made}` } })).body;
  const changes = [{ type: 'write', path: `page${made}.md`, text: '# Page\n' }];
  expect((await platform.api('POST', `${path}/${id}/content`, { body: { changes } })).status).toBe(200);
  return `${path}/${id}`;
}

/** Whether each flag is as the call that it stands for is answered, in the resource at this address. */
async function compare(path: string, probes: readonly Probe[], kind?: Reader['only']) {
  const promised: string[] = [];
  const happened: string[] = [];
  // 400: another thing that the body names is not there for this reader.
  const refusals = [400, 401, 403, 404];
  for (const { name, token, only } of readers) {
    if (!triesAll && only !== undefined && only !== kind) continue;
    const shown = await platform.api('GET', path, { token });
    const flags: Readonly<Record<string, boolean>> = shown.status === 200 ? shown.body.permissions : {};
    const probed = new Set(probes.map(({ flag }) => flag));
    const unproved = Object.keys(flags).filter((flag) => !probed.has(flag) && !(flag in WITHOUT_OPERATION));
    expect(unproved, `${path}: flags that no call is held against`).toEqual([]);
    for (const { flag, method, path: at, body } of probes) {
      const where = typeof at === 'string' ? at : await at();
      const answer = await platform.api(method, where, { token, ...(body && { body: body() }) });
      expect(answer.status, `${name}: ${method} ${where}`).toBeLessThan(500);
      const line = `${name}: ${flag}`;
      promised.push(`${line} ${flags[flag] ?? false}`);
      happened.push(`${line} ${!refusals.includes(answer.status)}`);
    }
  }
  expect(promised).toEqual(happened);
}

const slug = () => {
  made += 1;
  return `spec-${made}`;
};
const source = { text: 'openapi: 3.0.0' };
const words = () => ({ body: { markdown: 'Why?' } });
const review = () => ({ status: 'changes-requested' });

describe('the permissions of', () => {
  it('an organization', () =>
    compare(org, [
      { flag: 'view', method: 'GET', path: org },
      { flag: 'admin', method: 'PATCH', path: org, body: () => ({ inviteLinks: true }) },
      { flag: 'ownTeam', method: 'PUT', path: `${org}/teams`, body: () => ({ title: 'Made' }) },
      { flag: 'createContent', method: 'POST', path: `${org}/spaces`, body: () => ({ title: 'Made' }) },
      { flag: 'createContent', method: 'POST', path: `${org}/collections`, body: () => ({ title: 'Made' }) },
      {
        flag: 'createOpenAPISpec',
        method: 'POST',
        path: `${org}/openapi`,
        body: () => ({ slug: slug(), source }),
      },
      {
        flag: 'ingestConversations',
        method: 'POST',
        path: `${org}/conversations`,
        body: () => ({ id: slug(), parts: [] }),
      },
      { flag: 'viewConversations', method: 'GET', path: `${org}/conversations-clusters` },
      { flag: 'listMembers', method: 'GET', path: `${org}/members` },
      { flag: 'listTeams', method: 'GET', path: `${org}/teams` },
    ]));

  const ofSpace = (id: string): readonly Probe[] => [
    { flag: 'view', method: 'GET', path: `/spaces/${id}/content` },
    { flag: 'access', method: 'GET', path: `/spaces/${id}/change-requests` },
    { flag: 'comment', method: 'POST', path: `/spaces/${id}/comments`, body: words },
    { flag: 'review', method: 'POST', path: async () => `${await propose(id)}/reviews`, body: review },
    {
      flag: 'edit',
      method: 'POST',
      path: `/spaces/${id}/change-requests`,
      body: () => ({ subject: 'Mine' }),
    },
    {
      flag: 'triggerGitSync',
      method: 'POST',
      path: `/spaces/${id}/git/export`,
      body: () => ({ url: 'https://forge.example/x.git', ref: 'refs/heads/main', commitMessage: 'Edits' }),
    },
    { flag: 'admin', method: 'PATCH', path: `/spaces/${id}`, body: () => ({ language: 'en' }) },
    { flag: 'viewInviteLinks', method: 'GET', path: `${org}/link-invites` },
  ];
  it.each(
    casesAtLength(
      'the permissions of locked and public spaces',
      ['private'] as const,
      ['locked', 'public'] as const,
    ),
  )('a %s space', async (kind) => {
    const id = { private: space, locked, public: open }[kind];
    await compare(`/spaces/${id}`, [
      ...ofSpace(id),
      { flag: 'merge', method: 'POST', path: async () => `${await propose(id)}/merge` },
    ]);
  });

  it.each(
    casesAtLength(
      'the permissions of change requests in locked spaces, and in those without rules',
      ['ruled'] as const,
      ['free', 'locked'] as const,
    ),
  )('a change request in a %s space', async (kind) => {
    const id = { free: space, locked, ruled }[kind];
    const at = await propose(id);
    const changes = () => {
      made += 1;
      return { changes: [{ type: 'write', path: `more${made}.md`, text: '# More\n' }] };
    };
    await compare(at, [
      { flag: 'view', method: 'GET', path: at },
      { flag: 'comment', method: 'POST', path: `${at}/comments`, body: words },
      { flag: 'edit', method: 'POST', path: `${at}/content`, body: changes },
      { flag: 'review', method: 'POST', path: async () => `${await propose(id)}/reviews`, body: review },
      { flag: 'merge', method: 'POST', path: async () => `${await propose(id)}/merge` },
    ]);
  });

  it('a change request that was merged', async () => {
    const at = await propose(space);
    await platform.api('POST', `${at}/merge`);
    for (const { token } of readers) {
      const { status, body } = await platform.api('GET', at, { token });
      if (status === 200) expect(body.permissions).toMatchObject({ edit: false, merge: false });
    }
  });

  it('a collection', () =>
    compare(`/collections/${collection}`, [
      { flag: 'view', method: 'GET', path: `/collections/${collection}/spaces` },
      {
        flag: 'create',
        method: 'POST',
        path: `${org}/spaces`,
        body: () => ({ title: 'Made', parent: collection }),
      },
      {
        flag: 'create',
        method: 'POST',
        path: `${org}/collections`,
        body: () => ({ title: 'Made', parent: collection }),
      },
      {
        flag: 'admin',
        method: 'PATCH',
        path: `/collections/${collection}`,
        body: () => ({ description: 'x' }),
      },
      { flag: 'viewInviteLinks', method: 'GET', path: `${org}/link-invites` },
    ]));

  it('a site', () => {
    const at = `${org}/sites/${site}`;
    return compare(
      at,
      [
        { flag: 'view', method: 'GET', path: `${at}/sections` },
        { flag: 'access', method: 'GET', path: `${at}/structure` },
        { flag: 'edit', method: 'PATCH', path: at, body: () => ({ title: 'Site' }) },
        { flag: 'admin', method: 'GET', path: `${at}/share-links` },
      ],
      'site',
    );
  });

  it('a team', () =>
    compare(
      `${org}/teams/${team}`,
      [
        { flag: 'view', method: 'GET', path: `${org}/teams/${team}/members` },
        { flag: 'admin', method: 'PATCH', path: `${org}/teams/${team}`, body: () => ({ title: 'Writers' }) },
        { flag: 'admin', method: 'PUT', path: `${org}/teams/${team}/members`, body: () => ({ add: [] }) },
      ],
      'team',
    ));

  it('a specification', () =>
    compare(`${org}/openapi/pets`, [
      { flag: 'view', method: 'GET', path: `${org}/openapi/pets/versions` },
      { flag: 'edit', method: 'PATCH', path: `${org}/openapi/pets`, body: () => ({ visibility: 'private' }) },
      { flag: 'edit', method: 'PUT', path: `${org}/openapi/pets`, body: () => ({ source }) },
    ]));

  it('a translation', () =>
    compare(`${org}/translations/${translation}`, [
      { flag: 'view', method: 'GET', path: `${org}/translations/${translation}` },
      {
        flag: 'edit',
        method: 'PUT',
        path: `${org}/translations/${translation}`,
        body: () => ({ glossary: [] }),
      },
    ]));

  it('what there is no operation for yet', () => {
    const paths = Object.values(operations).map((operation): string => operation.path);
    for (const [flag, path] of Object.entries(WITHOUT_OPERATION))
      expect([flag, paths.filter((one) => path.test(one))]).toEqual([flag, []]);
  });

  it('resources in lists are those of each resource', async () => {
    for (const { token, name } of readers)
      for (const list of [
        `${org}/spaces`,
        `${org}/collections`,
        `${org}/sites`,
        `${org}/teams`,
        `${org}/openapi`,
        '/orgs',
      ]) {
        const found = await platform.api('GET', `${list}?limit=1000`, { token });
        if (found.status !== 200) continue;
        for (const item of found.body.items.slice(0, 10)) {
          const path = new URL(item.urls?.location ?? `http://x/v1${list}/${item.id}`).pathname.slice(
            '/v1'.length,
          );
          const alone = await platform.api('GET', path, { token });
          expect([name, path, alone.body.permissions]).toEqual([name, path, item.permissions]);
        }
      }
  });
});
