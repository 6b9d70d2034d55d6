/** What arrives wrong is refused in one sentence, and what cannot be imported ends as a failed operation that says why. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForCheck, waitForStatuses } from '../../src/cli/demo/observe.ts';
import { operations } from '../../src/client/index.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createAuthor } from './support/author.ts';
import { findSpace, listOperations, openPlatform, type Platform } from './support/platform.ts';
import { useRunsDatabase, useStage } from './support/stage.ts';

/** Answers every request with a page, as a web server that holds no repository. */
const website = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
);
beforeAll(() => new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve)));
afterAll(() => website.close());
const websitePort = () => (website.address() as AddressInfo).port;

const database = useRunsDatabase();
const stage = useStage(async () => ({
  ...(await database()),
  LOG_LEVEL: 'trace',
  METRICS_TOKEN: 'a token for numbers alone',
  ALLOWED_HOSTS: `127.0.0.1:${websitePort()},127.0.0.1:9,nowhere.invalid`,
}));

describeAtLength('a webhook delivery', false, () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${stage().url}/api/github/webhooks`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': randomUUID(),
        ...headers,
      },
    });
  const sign = (body: string, secret = stage().env['WEBHOOK_SECRET'] ?? '') => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  });

  /** Says how long its body is and waits: the answer comes before a body, whose writing would race the server's closing. */
  const announce = async (length: number) => {
    const outgoing = request(`${stage().url}/api/github/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': length, ...sign('{}') },
    });
    outgoing.flushHeaders();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer = new Response(await text(incoming), { status: incoming.statusCode ?? 0 });
    outgoing.on('error', () => {}).destroy();
    return answer;
  };

  it.each([
    ['without a signature', () => send('{}'), 401, 'X-Hub-Signature-256'],
    ['signed with another secret', () => send('{}', sign('{}', 'guess')), 401, 'X-Hub-Signature-256'],
    ['over 25 MB', () => announce(25 * 1024 * 1024 + 1), 413, '25 MB'],
    ['that is no JSON', () => send('{"a":', sign('{"a":')), 400, 'JSON'],
    [
      'without the event’s fields',
      () => send('{"ref":"refs/heads/main"}', sign('{"ref":"refs/heads/main"}')),
      400,
      '/',
    ],
  ])('%s is refused, and nothing is stored', async (_what, act, status, words) => {
    const response = await act();
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(status);
    expect(error.message).toContain(words);
  });
});

describeAtLength('an import', false, () => {
  let platform: Platform;
  let spaceId: string;
  beforeAll(async () => {
    platform = await openPlatform(stage());
    const author = await createAuthor(stage(), { owner: 'closed', repo: 'vault', private: true });
    await author.publish({ 'README.md': '# Vault\n' });
    const space = await platform.client.call(operations.createSpace, {
      params: { organizationId: platform.organizationId },
      body: { title: 'Trials' },
    });
    spaceId = space.id;
  });

  it.each([
    ['of a missing ref', () => `${stage().forge.url}/closed/vault.git`, 'refs/heads/absent', true, /absent/],
    [
      'from an unreachable host',
      () => 'http://127.0.0.1:9/a/b.git',
      'refs/heads/main',
      false,
      /127\.0\.0\.1:9/,
    ],
    [
      'from a host without an address',
      () => 'https://nowhere.invalid/a/b.git',
      'refs/heads/main',
      false,
      /nowhere\.invalid/,
    ],
    [
      'of a repository that needs auth',
      () => `${stage().forge.url}/closed/vault.git`,
      'refs/heads/main',
      false,
      /token|credential|password|auth/i,
    ],
    [
      'from a private address',
      () => 'https://10.1.2.3/a/b.git',
      'refs/heads/main',
      false,
      /private|ALLOWED_HOSTS/i,
    ],
    [
      'from an address that is no git repository',
      () => `http://127.0.0.1:${websitePort()}/page`,
      'refs/heads/main',
      false,
      /no git repository|not a git repository/i,
    ],
  ])('%s ends as a failed operation that says so', async (_what, address, ref, authorised, words) => {
    const { token } = stage().forge.createUser('closed');
    const url = authorised ? address().replace('://', `://closed:${token}@`) : address();
    const before = await listOperations(platform, spaceId);
    await platform.client.call(operations.importGit, { params: { spaceId }, body: { url, ref } });
    await expect
      .poll(
        async () =>
          (await listOperations(platform, spaceId)).filter(({ state }) => state === 'failure').length,
        { timeout: PATIENCE_MS, interval: 100 },
      )
      .toBe(before.length + 1);
    const [newest] = await listOperations(platform, spaceId);
    expect(newest?.error?.message).toMatch(words);
    expect(JSON.stringify(newest)).not.toContain(token);
  });
});

describeAtLength('a repository whose docloom.yml is wrong', false, () => {
  it('gets a failed check that marks the line', async () => {
    const author = await createAuthor(stage(), { owner: 'typo', repo: 'typos' });
    const oid = await author.publish({
      '.github/docloom.yml': 'spaces:\n  - directroy: docs\n    title: Docs\n',
      'docs/README.md': '# Docs\n',
    });
    const check = await waitForCheck(author.octokit, author, oid);
    expect(check).toMatchObject({ name: 'Docloom configuration', conclusion: 'failure' });
    const places = check.annotations.map(({ path, start_line }) => `${path}:${start_line}`);
    expect(new Set(places)).toEqual(new Set(['.github/docloom.yml:2']));
    expect(check.annotations[0]?.message).toMatch(/“directroy”.*“directory”/);
  });
});

describeAtLength('a docloom.yml that attacks its reader', false, () => {
  const billion = ['a: &a [x, x, x, x, x, x, x, x, x]']
    .concat([...'bcdefghi'].map((one, at) => `${one}: &${one} [${`*${'abcdefgh'[at]}, `.repeat(9)}]`))
    .join('\n');

  it('is refused in one sentence, and what was in force before stays', async () => {
    const author = await createAuthor(stage(), { owner: 'bomber', repo: 'bombs' });
    const good = 'spaces:\n  - directory: docs\n    title: Bombs\n';
    const first = await author.publish({ '.github/docloom.yml': good, 'docs/README.md': '# Docs\n' });
    await waitForStatuses(author.octokit, author, first, 1);
    for (const [config, words] of [
      [`spaces: []\n# ${'x'.repeat(2_000_000)}\n`, /too large|at most/],
      [`${billion}\nspaces: *i\n`, /not a key here|alias/],
      ['spaces: &a [*a]\n', /.+/],
      ['\u0000\u0001%PDF-1.7 \ufffd\n- : [\n', /.+/],
    ] as const) {
      const oid = await author.publish({
        '.github/docloom.yml': config,
        'docs/README.md': `# ${config.length} bytes\n`,
      });
      const check = await waitForCheck(author.octokit, author, oid);
      expect(check).toMatchObject({ name: 'Docloom configuration', conclusion: 'failure' });
      expect(JSON.stringify([check.output, check.annotations])).toMatch(words);
      expect(JSON.stringify([check.output, check.annotations]).length).toBeLessThan(20_000);
      const [status] = await waitForStatuses(author.octokit, author, oid, 1);
      expect(status).toMatchObject({ state: 'success', context: 'docloom/Bombs' });
    }
  });
});

describeAtLength('names that hold shell, Markdown and HTML', false, () => {
  const file =
    'docs/$(touch pwned) `touch pwned` <img src=x onerror=alert(1)> [a](javascript:alert(1)) | * _.md';
  const branch = 'x;touch$IFS"pwned"/$(touch$IFS"pwned")`id`<img/src=x/onerror=alert(1)>|&&__b__#';
  const bytes = 'docs/-rf --upload-pack=touch.md';

  it('stay names in statuses, checks, reports, pages and searches', async () => {
    const author = await createAuthor(stage(), { owner: 'trickster', repo: 'tricks' });
    const text = '# <b>Bold</b> $(touch pwned)\n\n[Other](-rf%20--upload-pack=touch.md)\n';
    const first = await author.publish({ [file]: text, [bytes]: '# Other\n' });
    const [status] = await waitForStatuses(author.octokit, author, first, 1);
    expect(status).toMatchObject({ state: 'success', description: expect.stringContaining('Live: 2 pages') });

    await author.git('switch', '--quiet', '--create', branch);
    await author.git('rm', '--quiet', '--', bytes);
    const head = await author.publish({}, branch);
    const { data: pull } = await author.octokit.pulls.create({
      owner: author.owner,
      repo: author.repo,
      base: 'main',
      head: branch,
      title: 'Tricks',
    });
    const check = await waitForCheck(author.octokit, author, head);
    expect(check.annotations.map(({ path }) => path)).toEqual([file]);
    // In code nothing else is read; how a summary is escaped, its own test looks at with a parser.
    expect(check.output.summary).toContain('``docs/$(touch pwned) `touch pwned` <img src=x');
    const report = await (await fetch(check.details_url ?? '')).text();
    expect(report).toContain('&#60;img src=x onerror=alert(1)&#62;');
    expect(report).not.toMatch(/<img|href="javascript:/);
    expect(pull.head.ref).toBe(branch);

    const platform = await openPlatform(stage());
    const { id } = await findSpace(platform, 'tricks');
    const entered = await fetch(`${stage().url}/login`, {
      method: 'POST',
      body: new URLSearchParams({ token: platform.token }),
      redirect: 'manual',
    });
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const read = async (path: string) => {
      const answer = await fetch(`${stage().url}${path}`, { headers: { cookie } });
      expect(answer.status).toBe(200);
      return await answer.text();
    };
    const space = await read(`/spaces/${id}`);
    const [, page = ''] = /class="button" href="([^"]+)"/.exec(space) ?? [];
    for (const text of [
      space,
      await read(page),
      await read(`/spaces/${id}/search?q=bold`),
      await read('/status'),
    ])
      expect(text).not.toMatch(/<img|onerror=alert\(1\)>|href="javascript:/);
    expect(await read(`/spaces/${id}/search?q=bold`)).toContain('touch pwned');
    const left = await readdir(stage().folder, { recursive: true });
    expect(left.filter((name) => name.split('/').at(-1) === 'pwned')).toEqual([]);
    await expect(access('pwned')).rejects.toThrow();
  });
});

describeAtLength('the log at its most talkative', false, () => {
  it('holds no secret of anybody', async () => {
    const { env, logFile } = stage();
    const log = await readFile(logFile, 'utf8');
    expect(log).toContain('"level":"debug"');
    const pem = await readFile(env['PRIVATE_KEY_PATH'] ?? '', 'utf8');
    const secrets = [
      env['WEBHOOK_SECRET'] ?? '',
      env['METRICS_TOKEN'] ?? '',
      ...pem.split('\n').filter((line) => line.length > 40 && !line.startsWith('-----')),
    ];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    // Tokens of GitHub and of the platform, signed tokens, sealed values, and addresses with credentials.
    const tokens =
      /\bgh[a-z]_\w{8,}|\bdl_[\w-]{12,}|\beyJ[\w-]{10,}\.|PRIVATE KEY|:\/\/[^\s"/@]+:[^\s"/@]+@/g;
    expect([...new Set(log.match(tokens))]).toEqual([]);
  });
});
