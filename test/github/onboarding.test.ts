/** A repository without a configuration gets one proposed: what is found, what a sync brings, and what stays as it is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import { loadRepository, saveOnboarding } from '../../src/store/repositories.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle, waitFor } from './app-bench.ts';
import { openBenchPlatform } from './bench-platform.ts';

let bench: AppBench;

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform, { onboarding: 'on' });
});

afterAll(async () => {
  await bench?.close();
});

const CONFIG = '.github/docloom.yml';
const BRANCH = 'docloom/configure';

async function pushed(name: string, files: Readonly<Record<string, string>>): Promise<BenchRepository> {
  const repository = await bench.createRepository(name);
  repository.install({ unheard: true });
  await repository.local.commit(files);
  await repository.push();
  return repository;
}

const proposals = ({ fullName }: BenchRepository) =>
  bench.forge.pulls(fullName).filter((pull) => pull.headRef === BRANCH);
const proposed = (repository: BenchRepository) => waitFor(() => proposals(repository)[0]);
const stateOf = async ({ id }: BenchRepository) => (await loadRepository(bench.store.db, id))?.onboarding;

const idle = () => untilIdle(bench);

async function fileOn(repository: BenchRepository, ref: string): Promise<string> {
  const { content } = await repository.api<{ content: string }>('GET', `/contents/${CONFIG}?ref=${ref}`);
  return Buffer.from(content, 'base64').toString('utf8');
}

test('the proposal lists what was found, is updated with the repository, and leaves changes of others alone', async () => {
  const repository = await pushed('plain', {
    'README.md': '# Repository\n',
    'docs/.gitbook.yaml': '',
    'docs/SUMMARY.md': '* [Home](README.md)\n',
    'docs/README.md': '# Home @everyone\n\n[Gone](gone.md)\n',
    'docs/<b>*x*.md': '# Nobody sees this\n',
    'examples/site/mkdocs.yml': 'site_name: Example\n',
    'examples/site/docs/index.md': '# Example\n',
  });
  const pull = await proposed(repository);
  expect(pull).toMatchObject({ title: 'Configure Docloom', baseRef: 'main', state: 'open' });
  expect(pull.body).toContain('| `docs` | docs | gitbook | 1 | 1 | 1 |');
  expect(pull.body).toContain('- `docs/<b>*x*.md`');
  expect(pull.body).toContain('`examples/site`');
  expect(pull.body).toContain('Docloom already syncs with the same settings');
  const text = await fileOn(repository, BRANCH);
  expect(text).toContain(`$schema=${bench.url}/schemas/docloom.json`);
  expect(parseConfig(text)).toMatchObject({
    config: { spaces: [{ directory: 'docs', title: 'docs', format: 'gitbook' }] },
  });
  // Zero configuration works meanwhile, and the proposal is judged like every pull request.
  await waitFor(() =>
    bench.forge
      .statuses(repository.fullName)
      .find((one) => one.context === 'docloom/docs' && one.state === 'success'),
  );

  await repository.local.commit({ 'api/SUMMARY.md': '* [API](README.md)\n', 'api/README.md': '# API\n' });
  await repository.push();
  await waitFor(() => proposals(repository)[0]?.body?.includes('| `api` |'));
  expect(parseConfig(await fileOn(repository, BRANCH))).toMatchObject({
    config: { spaces: [{ directory: 'api' }, { directory: 'docs' }] },
  });
  await idle();

  const mine = 'spaces: [{directory: docs, title: Mine}]\n';
  const { sha } = await repository.api<{ sha: string }>('GET', `/contents/${CONFIG}?ref=${BRANCH}`);
  await repository.api('PUT', `/contents/${CONFIG}`, {
    message: 'Mine',
    content: Buffer.from(mine).toString('base64'),
    branch: BRANCH,
    sha,
  });
  await repository.local.commit({
    'docs/SUMMARY.md': '* [Home](README.md)\n* [Home](README.md)\n',
    'new/README.md': '#\n',
  });
  await repository.push();
  await idle();
  expect(await fileOn(repository, BRANCH)).toBe(mine);

  await repository.api('PUT', `/pulls/${pull.number}/merge`, {});
  await waitFor(() =>
    bench.forge
      .statuses(repository.fullName)
      .find((one) => one.context === 'docloom/Mine' && one.state === 'success'),
  );
  await waitFor(async () => (await stateOf(repository)) === 'closed');
  expect(proposals(repository)).toHaveLength(1);
});

testAtLength('closed without merging, it is never opened again, even when the database is lost', async () => {
  const repository = await pushed('declined', { 'README.md': '# Docs\n' });
  const { number } = await proposed(repository);
  await idle();
  await repository.api('PATCH', `/pulls/${number}`, { state: 'closed' });
  await waitFor(async () => (await stateOf(repository)) === 'closed');
  await saveOnboarding(bench.store.db, repository.id, { onboarding: null, onboardingPull: null });
  await repository.local.commit({ 'more.md': '# More\n' });
  await repository.push();
  await waitFor(async () => (await stateOf(repository)) === 'closed');
  await idle();
  expect(proposals(repository)).toHaveLength(1);
});

testAtLength('it is closed when the file is added in another way', async () => {
  const repository = await pushed('by-hand', { 'README.md': '# Docs\n' });
  await proposed(repository);
  await idle();
  await repository.local.commit({ [CONFIG]: 'spaces: [{directory: ., title: Hand}]\n' });
  await repository.push();
  await waitFor(() => proposals(repository)[0]?.state === 'closed');
});

testAtLength(
  'with `wait` nothing is synced before it is decided, and repositories without a proposal do not wait',
  async () => {
    const held = await openAppBench(openBenchPlatform, { onboarding: 'wait' });
    try {
      const live = ({ fullName }: BenchRepository) =>
        waitFor(() => held.forge.statuses(fullName).find((one) => one.state === 'success'));
      const install = async (name: string) => {
        const repository = await held.createRepository(name);
        repository.install({ unheard: true });
        await repository.local.commit({ 'README.md': '# Docs\n' });
        await repository.push();
        return repository;
      };
      const waiting = await install('waiting');
      const pull = await waitFor(() => held.forge.pulls(waiting.fullName)[0]);
      expect(pull.body).toContain('Nothing is synced until this is merged or closed.');
      await held.forge.waitForIdle();
      expect(held.forge.statuses(waiting.fullName)).toEqual([]);
      await waiting.api('PATCH', `/pulls/${pull.number}`, { state: 'closed' });
      await live(waiting);

      held.permit({
        metadata: 'read',
        contents: 'read',
        checks: 'write',
        statuses: 'write',
        pull_requests: 'read',
      });
      const readOnly = await install('read-only');
      await live(readOnly);
      expect(held.forge.pulls(readOnly.fullName)).toEqual([]);
    } finally {
      await held.close();
    }
  },
);

test('nothing is proposed where there is a file or no page', async () => {
  const configured = await pushed('configured', {
    [CONFIG]: 'spaces: [{directory: ., title: There}]\n',
    'README.md': '# Docs\n',
  });
  const code = await pushed('code', { 'index.ts': '1;\n' });
  await idle();
  expect([...proposals(configured), ...proposals(code)]).toEqual([]);
});

testAtLength(
  'nothing is proposed to a fork or to an archived repository before it is unarchived',
  async () => {
    const archived = await bench.createRepository('archived');
    await archived.local.commit({ 'README.md': '# Docs\n' });
    await archived.push();
    await bench.forge.fork({ source: archived.fullName, owner: 'acme', name: 'a-fork' });
    bench.forge.editRepository(archived.fullName, { archived: true });
    bench.forge.installApp({ owner: 'acme', repositories: 'all' });
    await waitFor(() => bench.forge.statuses('acme/a-fork').find(({ state }) => state === 'success'));
    await idle();
    expect([...bench.forge.pulls('acme/a-fork'), ...proposals(archived)]).toEqual([]);
    expect(bench.forge.statuses(archived.fullName)).toEqual([]);
    bench.forge.editRepository(archived.fullName, { archived: false });
    expect(await proposed(archived)).toMatchObject({ state: 'open' });
  },
);
