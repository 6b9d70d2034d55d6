/** The pages show a person what the App said, and nothing of it runs in the browser. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox, WorkTree } from './support/open-sandbox.ts';

let sandbox: Sandbox;
let head: string;
let token: string;

const evil = '<script>alert(1)</script>';

beforeAll(async () => {
  sandbox = await openSandbox();
  token = sandbox.forge.createUser('writer').token;
  const repository = await sandbox.forge.createRepository({ owner: 'writer', name: 'docs' });
  await sandbox.forge.createRepository({ owner: 'writer', name: 'secret', private: true });
  const { installationId } = sandbox.forge.installApp({ owner: 'writer', repositories: 'all' });
  const tree = new WorkTree(join(sandbox.folder, 'work'), repository.cloneUrl, token);
  await tree.commit({ 'README.md': 'one\n' });
  await tree.push('main');
  await tree.git('checkout', '--quiet', '-b', 'feature/x');
  head = await tree.commit({ 'guide/ä b.md': `first\nsee [gone](gone.md) ${evil}\nlast\n` });
  await tree.push('feature/x');
  const at = { owner: 'writer', repo: 'docs' };
  await sandbox
    .octokit(token)
    .rest.pulls.create({ ...at, title: `Title ${evil}`, head: 'feature/x', base: 'main' });
  const bot = sandbox.octokit(await sandbox.installationToken(installationId)).rest;
  await bot.repos.createCommitStatus({
    ...at,
    sha: head,
    state: 'failure',
    context: 'docs',
    description: `Said ${evil}`,
  });
  await bot.checks.create({
    ...at,
    name: 'links',
    head_sha: head,
    conclusion: 'failure',
    output: {
      title: 'One broken link',
      summary: `# Broken\n\n**One** link, [mend](https://example.com/a) [bad](javascript:alert(1)) ${evil}\n\n| a |\n|---|\n| b |`,
      annotations: [
        {
          path: 'guide/ä b.md',
          start_line: 2,
          end_line: 2,
          start_column: 5,
          end_column: 19,
          annotation_level: 'failure',
          message: `gone.md is not there ${evil}`,
        },
        {
          path: '../nowhere',
          start_line: 1,
          end_line: 1,
          annotation_level: 'notice',
          message: 'no such file',
        },
      ],
    },
  });
});
afterAll(() => sandbox.close());

async function page(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(sandbox.forge.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the pages', () => {
  it('list repositories, branches and pull requests with their states', async () => {
    const home = await page('/');
    expect(home.text).toContain('href="/writer/docs"');
    expect(home.text).not.toContain('secret');
    const repository = await page('/writer/docs');
    expect(repository.text).toContain('feature/x');
    expect(repository.text).toContain('<span class="state failure">failure</span>');
    expect(repository.text).toContain('/writer/docs/pull/1');
  });

  it('show a check run with its summary, and annotations at their lines', async () => {
    const { text } = await page('/writer/docs/pull/1');
    expect(text).toContain('<strong>One</strong>');
    expect(text).toContain('<a href="https://example.com/a" rel="nofollow noopener">mend</a>');
    expect(text).toContain('<code>guide/ä b.md</code>');
    expect(text).toContain('<span class="number">2</span>see <mark>[gone](gone.md)</mark>');
    expect(text).toContain('no such file');
  });

  it('let nothing of a repository or a check run become markup', async () => {
    for (const path of [
      '/',
      '/writer/docs',
      '/writer/docs/pull/1',
      `/writer/docs/commit/${head}`,
      '/writer/docs/blob/feature/x/guide/%C3%A4%20b.md',
    ]) {
      const { status, text, headers } = await page(path);
      expect(status).toBe(200);
      expect(text).not.toContain('<script');
      expect(text).not.toContain('href="javascript:');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('serve every address of a page in the API', async () => {
    const bot = sandbox.octokit(token).rest;
    const at = { owner: 'writer', repo: 'docs' };
    const [run] = (await bot.checks.listForRef({ ...at, ref: head })).data.check_runs;
    const pull = (await bot.pulls.get({ ...at, pull_number: 1 })).data;
    const [file] = (await bot.pulls.listFiles({ ...at, pull_number: 1 })).data;
    const commit = (await bot.repos.getCommit({ ...at, ref: head })).data;
    for (const address of [
      run?.html_url,
      pull.html_url,
      pull.base.repo.html_url,
      file?.blob_url,
      file?.raw_url,
      commit.html_url,
    ]) {
      expect(await fetch(address ?? '').then((response) => response.status)).toBe(200);
    }
  });

  it('require a token before they show what is private', async () => {
    expect((await page('/writer/secret')).status).toBe(401);
    const authorization = `Basic ${Buffer.from(`writer:${token}`).toString('base64')}`;
    expect((await page('/writer/secret', { authorization })).status).toBe(200);
    expect((await page('/', { authorization })).text).toContain('writer/secret');
  });

  it.each([
    '/nothing',
    '/writer/docs/pull/2',
    '/writer/docs/constructor',
    '/%zz',
    '/writer/docs/raw/main/../../x',
    '/writer/docs/commit/--all',
  ])('do not have %s', async (path) => expect((await page(path)).status).toBe(404));
});

it('a form from another site’s page opens and changes no pull request', async () => {
  const before = sandbox.forge.pulls('writer/docs').map(({ number, state }) => ({ number, state }));
  const post = (path: string) =>
    fetch(`${sandbox.forge.url}/writer/docs${path}`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ title: 'x', head: 'feature/x' }),
      redirect: 'manual',
    });
  for (const path of ['/pulls', '/pull/1/merge', '/pull/1/close'])
    expect([path, (await post(path)).status]).toEqual([path, 405]);
  expect(sandbox.forge.pulls('writer/docs')).toMatchObject(before);
});
