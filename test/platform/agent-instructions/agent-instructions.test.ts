import { afterAll, beforeAll, expect, test } from 'vitest';
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
