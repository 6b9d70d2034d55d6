import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type AnyOperation, type OperationName, operations } from '../../../src/contract/index.ts';
import { markSynced, newId } from '../../../src/store/index.ts';
import { completeReading, insertSpec, insertVersion } from '../../../src/store/openapi.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

interface Row {
  readonly as: string;
  readonly body?: unknown;
  readonly query?: string;
  readonly fresh?: keyof typeof makers;
}

type Ids = Record<string, string>;

const file = new URL('../../../fixtures/platform/matrix.yaml', import.meta.url);
const table = parse(readFileSync(file, 'utf8')) as Record<string, Row>;

/** Who calls, in the order of the table's columns. */
const callers = [
  ...['admin', 'create', 'review', 'edit', 'comment', 'read'].map((role) => ({ name: role, role })),
  { name: 'guest', role: null },
  { name: 'stranger' },
  { name: 'admin with a token to read', role: 'admin', limit: 'read' },
];

let platform: TestPlatform;
let tokens: readonly string[];
let known: Ids;
let specs = 0;

/** By the value of `fresh`: makes what one call will change, and returns its ids. */
const makers = {
  space: async () => ({ spaceId: await platform.createSpace('Fresh') }),
  deletedSpace: async () => {
    const spaceId = await platform.createSpace('Gone');
    await platform.api('DELETE', `/spaces/${spaceId}`);
    return { spaceId };
  },
  collection: async () => ({ collectionId: await createCollection('Fresh') }),
  member: async () => ({ userId: (await createMember(platform, 'Somebody', { role: 'read' })).userId }),
  team: async () => ({ teamId: await createTeam() }),
  samlProvider: async () => ({ samlProviderId: await createSamlProvider() }),
  spec: async () => await createSpec(),
  translation: async () => ({ translationId: await createTranslation(known['spaceId'] ?? '') }),
  changeRequest: async () => ({ changeRequestId: await beginChange(known['spaceId'] ?? '', []) }),
} satisfies Record<string, () => Promise<Ids>>;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  const members = [];
  for (const { name, ...options } of callers) members.push(await createMember(platform, name, options));
  tokens = members.map((one) => one.token);
  known = await fillSpace();
});
afterAll(() => platform.close());

it('has a row for each operation', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(operations).toSorted());
});

it.each(Object.entries(table))('%s', async (name, row) => {
  const operation: AnyOperation | undefined = operations[name as OperationName];
  if (operation === undefined) throw new Error(`There is no operation ${name}: rename or remove its row.`);
  const makeFresh = row.fresh === undefined ? undefined : makers[row.fresh];
  if (row.fresh !== undefined && makeFresh === undefined)
    throw new Error(`\`fresh: ${row.fresh}\` needs a function of this name in \`makers\`, in this file.`);
  let statuses = '';
  for (const token of tokens) {
    const ids = { ...known, ...(await makeFresh?.()) };
    const path = fill(operation.path.replaceAll(/:([A-Za-z]+)/g, '$$$1'), ids);
    const body = row.body === undefined ? {} : { body: fill(JSON.stringify(row.body), ids) };
    const answer = await platform.api(
      operation.method,
      row.query ? `${path}?${fill(row.query, ids)}` : path,
      {
        token,
        ...body,
      },
    );
    expect(answer.status).toBeLessThan(500);
    statuses += ({ 403: '3', 404: '4' } as Record<number, string>)[answer.status] ?? '+';
  }
  expect(statuses, `columns: ${callers.map((caller) => caller.name).join(', ')}`).toBe(row.as);
});

it('was not changed by callers who cannot see the space', async () => {
  expect((await platform.api('GET', `/spaces/${known['spaceId']}`)).status).toBe(200);
});

async function fillSpace(): Promise<Ids> {
  const { api, organizationId } = platform;
  const spaceId = await platform.createSpace('Matrix');
  const files = [
    { type: 'write', path: 'README.md', text: '# Guide\n\n[File](file.txt)\n' },
    { type: 'write', path: 'file.txt', text: 'plain' },
  ];
  const merged = await beginChange(spaceId, files);
  await api('POST', `/spaces/${spaceId}/change-requests/${merged}/merge`);
  const content = (await api('GET', `/spaces/${spaceId}/content`)).body;
  const gitSync = { repoName: 'a/b', url: 'https://forge.example/a/b', updatedAt: new Date().toISOString() };
  await markSynced(platform.deps.db, spaceId, { syncedRevisionId: content.id, gitSync });
  return {
    organizationId,
    spaceId,
    ...(await createSpec()),
    collectionId: await createCollection('Matrix'),
    otherCollectionId: await createCollection('Other'),
    userId: (await createMember(platform, 'Subject', { role: 'read' })).userId,
    teamId: await createTeam(),
    samlProviderId: await createSamlProvider(),
    emailDomain: 'matrix.invalid',
    revisionId: content.id,
    pageId: content.pages[0].id,
    pagePath: encodeURIComponent(`/${content.pages[0].path}`),
    fileId: content.files[0].id,
    changeRequestId: await beginChange(spaceId, []),
    translationId: await createTranslation(spaceId),
    tokenId: newId(),
    sessionId: newId(),
    soon: new Date(Date.now() + 60 * 60 * 1000).toISOString(),
  };
}

/** A specification with a version, as its reading would have made it. */
async function createSpec(): Promise<Ids> {
  const { db } = platform.deps;
  const [specId, versionId, specSlug] = [newId(), newId(), `spec${++specs}`];
  const source = { sourceUrl: null, sealedSource: null };
  await insertSpec(db, { id: specId, organizationId: platform.organizationId, slug: specSlug, ...source });
  const content = gzipSync('{"entrypoint":"a","files":{"a":{}}}');
  await insertVersion(db, { id: versionId, specId, digest: '', title: '', content }, []);
  await completeReading(db, { id: specId, generation: 1 }, { lastVersionId: versionId });
  return { specSlug, versionId };
}

async function createCollection(title: string): Promise<string> {
  const { api, organizationId } = platform;
  return (await api('POST', `/orgs/${organizationId}/collections`, { body: { title } })).body.id;
}

async function createTeam(): Promise<string> {
  const { api, organizationId } = platform;
  return (await api('PUT', `/orgs/${organizationId}/teams`, { body: { title: 'Writers' } })).body.id;
}

async function createSamlProvider(): Promise<string> {
  const { api, organizationId } = platform;
  return (await api('POST', `/orgs/${organizationId}/saml`, { body: { label: 'Okta' } })).body.id;
}

async function createTranslation(space: string): Promise<string> {
  const { api, organizationId } = platform;
  const body = { source: { space }, language: 'de' };
  return (await api('POST', `/orgs/${organizationId}/translations`, { body })).body.id;
}

async function beginChange(spaceId: string, changes: readonly object[]): Promise<string> {
  const path = `/spaces/${spaceId}/change-requests`;
  const { id } = (await platform.api('POST', path, { body: {} })).body;
  if (changes.length > 0) await platform.api('POST', `${path}/${id}/content`, { body: { changes } });
  return id;
}

function fill(text: string, ids: Ids): string {
  return text.replaceAll(/\$([A-Za-z]+)/g, (_whole, name: string) => {
    const id = ids[name];
    if (id === undefined)
      throw new Error(
        `No id “${name}”: return it from fillSpace, or from a function of makers, in this file.`,
      );
    return id;
  });
}
