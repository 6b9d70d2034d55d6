import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hostOf } from '../../support/hostile-git-host.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const secret = 'The launch is on 12 May.';

describe.each(['git', 'isomorphic-git'] as const)('repositories cached by %s', (program) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startPlatform({ git: { program } });
  });
  afterEach(() => {
    platform.git.answer = () => 'git';
  });
  afterAll(() => platform.close());

  const repoCacheID = '4711';

  /** A private repository that one space of the organization imports, as the App does, with its cache id. */
  async function importPrivate(name: string) {
    const { repo, url } = await platform.createRepo(name);
    const commit = await repo.commit({ 'README.md': `# Secret plan\n\n${secret}\n` });
    const spaceId = await platform.createSpace(name);
    const ended = await platform.importBranch(spaceId, { url, repoCacheID });
    expect(ended).toMatchObject({ state: 'success', commit });
    return { repo, url, commit };
  }

  async function titlesOf(spaceId: string): Promise<string> {
    return JSON.stringify((await platform.api('GET', `/spaces/${spaceId}/content`)).body);
  }

  it('are not opened by a cache id at another address that only names a commit', async () => {
    const { repo, commit } = await importPrivate(`private-${program}`);
    platform.git.answer = await hostOf('/evil.git', commit, repo, []);
    const spaceId = await platform.createSpace('Attacker');
    const ended = await platform.importBranch(spaceId, { url: `${platform.git.url}/evil.git`, repoCacheID });
    expect(ended.state).toBe('failure');
    expect(await titlesOf(spaceId)).not.toContain('Secret plan');
  });

  it('are not opened at the same address without the right to read it', async () => {
    const { url } = await importPrivate(`closed-${program}`);
    platform.git.answer = ({ url: path }) =>
      path.startsWith(`/closed-${program}.git`)
        ? { status: 401, headers: { 'www-authenticate': 'Basic' } }
        : 'git';
    const spaceId = await platform.createSpace('Later');
    const ended = await platform.importBranch(spaceId, { url, repoCacheID });
    expect(ended).toMatchObject({ state: 'failure', error: { code: 'auth-required' } });
    expect(await titlesOf(spaceId)).not.toContain('Secret plan');
  });
});
