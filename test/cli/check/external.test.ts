import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { printers, type ReportFormat } from '../../../src/cli/check/print/index.ts';
import type { CommandIo } from '../../../src/cli/command.ts';
import { runCheck } from '../../../src/cli/commands/check.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { pickPort } from '../../support/pick-port.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();
let site: Server;
let host: string;
const visits: string[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    const answers: Readonly<Record<string, () => void>> = {
      '/page': () =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(request.method === 'HEAD' ? '' : '<p id="a"></p><p id="b"></p><p id="c"></p>'),
      '/moved': () => response.writeHead(301, { location: '/page' }).end(),
      '/door': () => response.writeHead(403).end(),
    };
    (answers[request.url ?? ''] ?? (() => response.writeHead(404).end()))();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site.close());

beforeEach(() => {
  visits.length = 0;
  const at = (path: string) => `http://${host}${path}`;
  folder.write({
    'a.md': `# A\n\n[1](${at('/page#a')})\n[2](${at('/page#z')})\n[3](${at('/gone')})\n[4](${at('/moved')})\n[5](${at('/door')})\n[6](http://10.0.0.1/)\n[7](${at('/gone')})\n`,
  });
});

const check = (format: ReportFormat, external: boolean) =>
  folder.run(
    (io) => runCheck([], { format, external }, { ...io, env: { ALLOWED_HOSTS: host } }),
    folder.root,
  );

it('asks the addresses of other sites once each, tells the bad ones, and fails nothing', async () => {
  const { code, stdout } = await check('json', true);
  expect(code).toBe(0);
  const { links } = JSON.parse(stdout) as { links: Record<string, unknown>[] };
  expect(links.map(({ line, status, rule, message }) => [line, status, rule, message])).toEqual([
    [3, 'unchecked', null, 'It answers.'],
    [4, 'unchecked', 'outside-part', 'The page is there, and has no #z.'],
    [5, 'unchecked', 'outside-failing', `http://${host}/gone answers 404.`],
    [6, 'unchecked', 'outside-moved', `It moved for good to http://${host}/page.`],
    [7, 'unchecked', null, 'It answers programs with 403, so only a person can tell.'],
    [8, 'unchecked', null, 'It leads into a private network, where nobody looks from here.'],
    [9, 'unchecked', 'outside-failing', `http://${host}/gone answers 404.`],
  ]);
  expect(visits.toSorted()).toEqual([
    'GET /door',
    'GET /gone',
    'GET /page',
    'HEAD /door',
    'HEAD /gone',
    'HEAD /moved',
    'HEAD /page',
    'HEAD /page',
  ]);
});

it('asks nobody unless it is told to, and forgets what it was told', async () => {
  expect((await check('pretty', false)).stdout).toBe(
    '7 links in 1 file: 0 broken, 7 outside, 0 unchecked.\n',
  );
  expect(visits).toEqual([]);
});

it('says once that there is no network, rather than for each address', async () => {
  const port = await pickPort();
  const at = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  folder.write({ 'a.md': at.map((address) => `[x](${address}/a)\n[y](${address}/b)\n`).join('') });
  const run = (io: CommandIo) =>
    runCheck(
      [],
      { format: 'pretty', external: true },
      { ...io, env: { ALLOWED_HOSTS: '127.0.0.1,localhost' } },
    );
  const { code, stdout } = await folder.run(run, folder.root);
  expect(code).toBe(0);
  expect(stdout.match(/warning/g)).toHaveLength(1);
  expect(stdout).toContain('None of the 2 hosts of other sites could be reached');
  expect(stdout).toContain('4 links in 1 file: 0 broken, 4 outside, 0 unchecked.');
});

testAtLength('tells it in the forms that know warnings', async () => {
  const { stdout } = await check('sarif', true);
  expect(Object.keys(printers)).toContain('sarif');
  const [run] = JSON.parse(stdout).runs;
  expect(run.results.map(({ ruleId, level }: Record<string, string>) => `${level} ${ruleId}`)).toEqual([
    'warning outside-part',
    'warning outside-failing',
    'warning outside-moved',
    'warning outside-failing',
  ]);
  expect(run.tool.driver.rules[1].shortDescription.text).toContain('another site');
});

/** The channel on which undici tells of requests as they start. */
const REQUEST_STARTS = 'undici:request:create';

testAtLength(
  'starts at most two requests a second at a host, also when requests to others delayed the first',
  async () => {
    const slow = await Promise.all(
      Array.from({ length: 32 }, async () => {
        const server = createServer((_request, response) => void setTimeout(() => response.end(), 600));
        await once(server.listen(0, '127.0.0.1'), 'listening');
        return server;
      }),
    );
    const busy = createServer((_request, response) => void response.end());
    // When they start here: how long they are on the way depends on the machine.
    const starts: number[] = [];
    const note = (message: unknown) => {
      const { origin } = (message as { readonly request: { readonly origin: string | URL } }).request;
      if (new URL(origin).host === addressOf(busy)) starts.push(performance.now());
    };
    subscribe(REQUEST_STARTS, note);
    onTestFinished(() => {
      unsubscribe(REQUEST_STARTS, note);
      for (const server of [...slow, busy]) server.close();
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    const addressOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hosts = [
      ...slow.map(addressOf),
      ...Array.from({ length: 6 }, (_, at) => `${addressOf(busy)}/${at}`),
    ];
    folder.write({ 'a.md': `# A\n\n${hosts.map((host) => `[x](http://${host})`).join('\n')}\n` });
    const env = { ALLOWED_HOSTS: hosts.map((host) => host.split('/')[0]).join(' ') };
    await folder.run((io) => runCheck([], { format: 'json', external: true }, { ...io, env }), folder.root);
    expect(starts).toHaveLength(6);
    // Three pairs, a second apart; less is allowed for what the clock may be off.
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(1_900);
  },
);
