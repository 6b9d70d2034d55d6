import { afterAll, beforeAll, expect, test } from 'vitest';
import { openModel } from '../../../src/platform/models/open-model.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
});
afterAll(() => platform?.close());

const path = () => `/orgs/${platform.organizationId}/agent-instructions`;
const saying = (text: string) => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [
    {
      object: 'block',
      key: 'a',
      type: 'paragraph',
      nodes: [{ object: 'text', key: 'b', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
});

test('instructions have versions, with who wrote them and when, and say that nothing uses them', async () => {
  const { api } = platform;
  const before = (await api('GET', path())).body;
  expect(before).toMatchObject({ version: 0, updatedBy: '', instructions: { nodes: [] } });
  const ada = await createMember(platform, 'Ada', { role: 'admin' });
  for (const text of ['Be brief.', 'Be brief.', 'Be kind.']) {
    const { status } = await api('PUT', path(), { token: ada.token, body: { instructions: saying(text) } });
    expect(status).toBe(200);
  }
  const { body } = await api('GET', path());
  expect(body).toMatchObject({
    object: 'agent-instructions',
    version: 2,
    updatedBy: ada.userId,
    instructions: saying('Be kind.'),
    use: { used: false, reason: 'No model is set: see OPENAI_URL and OPENAI_MODEL.' },
  });
  const first = (await api('GET', `${path()}/versions?limit=1`)).body;
  const second = (await api('GET', `${path()}/versions?limit=1&page=${first.next.page}`)).body;
  expect([...first.items, ...second.items]).toMatchObject([
    { version: 2, createdBy: ada.userId },
    { version: 1, createdBy: ada.userId, instructions: saying('Be brief.') },
  ]);
  expect(first.count).toBe(2);
  expect(second.next).toBeUndefined();
});

test('a document that is none is refused', async () => {
  const { status, body } = await platform.api('PUT', path(), {
    body: { instructions: { object: 'document', nodes: [{ object: 'other' }] } },
  });
  expect(status).toBe(400);
  expect(body.error.details[0].path).toBe('/body/instructions/nodes/0/object');
});

test('they say of answers, issues and translations whether those use them, and why not', async () => {
  const { api, deps, organizationId } = platform;
  const use = async () => (await api('GET', path())).body.use;
  const noModel = { used: false, reason: 'No model is set: see OPENAI_URL and OPENAI_MODEL.' };
  expect(await use()).toMatchObject({
    used: false,
    answers: noModel,
    issues: noModel,
    translations: noModel,
  });

  const openai = { url: 'http://127.0.0.1:9/v1', key: null, model: 'm' };
  const model = openModel(deps.db, { ...openai, tokensPerDay: 1, timeoutMs: 1_000 });
  Object.assign(deps, { model });
  const isOff = { used: false, reason: expect.stringContaining('`ai`') };
  expect(await use()).toEqual({
    used: false,
    reason: isOff.reason,
    answers: isOff,
    issues: isOff,
    translations: { used: false, reason: expect.stringContaining('provider openai') },
  });

  const { id: space } = (await api('POST', `/orgs/${organizationId}/spaces`, { body: { title: 'Guide' } }))
    .body;
  const translation = { source: { space }, language: 'de', provider: 'openai' };
  expect((await api('POST', `/orgs/${organizationId}/translations`, { body: translation })).status).toBe(201);
  expect(await use()).toMatchObject({ used: true, answers: isOff, translations: { used: true } });
  expect(await use()).not.toHaveProperty('reason');

  await api('PATCH', `/orgs/${organizationId}`, { body: { ai: true } });
  expect(await use()).toMatchObject({ used: true, answers: { used: true }, issues: { used: true } });

  await api('PUT', path(), { body: { instructions: saying(' ') } });
  const isEmpty = { used: false, reason: 'They have no text.' };
  expect(await use()).toEqual({ ...isEmpty, answers: isEmpty, issues: isEmpty, translations: isEmpty });
  await model.close();
});
