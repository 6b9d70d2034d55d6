/** Home says to those who may do something about it which ignores of broken links end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../src/store/index.ts';
import { createMember } from '../platform/create-member.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

/** A day as it is written, so many days after today. */
const day = (after: number) => new Date(pages.time.getTime() + after * 86_400_000).toISOString().slice(0, 10);

async function bind(id: number, ignore: readonly string[], disconnected: string | null = null) {
  const { db } = pages.platform.deps;
  const spaceId = await pages.platform.createSpace(`Docs ${id}`);
  await db.insert(tables.repositories).values({
    id,
    installationId: 1,
    fullName: `acme/repository-${id}`,
    defaultBranch: 'main',
    disconnected,
    configText: ['checks:', '  ignore:', ...ignore.map((entry) => `    - { ${entry} }`)].join('\n'),
  });
  for (const directory of ['docs', 'more'])
    await db.insert(tables.bindings).values({
      id: `b${id}${directory}`,
      installationId: 1,
      repositoryId: id,
      repository: `acme/repository-${id}`,
      branch: 'main',
      directory,
      title: 'Docs',
      spaceId: directory === 'docs' ? spaceId : await pages.platform.createSpace(`More ${id}`),
      disconnected,
    });
  return spaceId;
}

async function home(token?: string): Promise<string> {
  const answer = await pages.get('/', { cookie: await pages.signIn(token) });
  return (await answer.text()).replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
}

test('those that end within two weeks, and those that have ended, once for each repository', async () => {
  await bind(1, [
    `target: a, reason: It moves., until: ${day(-1)}`,
    `target: b, reason: It moves., until: ${day(0)}`,
    `target: c, reason: It moves., until: ${day(14)}`,
    `target: d, reason: It moves., until: ${day(15)}`,
    'target: e, reason: For good.',
  ]);
  await bind(2, [`target: a, reason: It moves., until: ${day(300)}`]);
  await bind(3, [`target: a, reason: It moves., until: ${day(-30)}`], 'The App was removed from it.');
  await bind(4, ['target: until, reason: A word., nonsense']);
  const text = await home();
  expect(text).toContain('1 ignore of broken links has expired, so its links count again');
  expect(text).toContain(`2 ignores of broken links expire soon, the first after ${day(0)}`);
  expect(text.match(/checks\.ignore of acme\/repository-\d/g)).toEqual([
    'checks.ignore of acme/repository-1',
    'checks.ignore of acme/repository-1',
  ]);
});

test('who may not edit is not told', async () => {
  const reader = await createMember(pages.platform, 'Reader', { role: 'read' });
  const text = await home(reader.token);
  expect(text).toContain('Docs 1');
  expect(text).not.toContain('ignore');
});
