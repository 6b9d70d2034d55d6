/**
 * Measures how long a server that imports hostile files takes to answer `/healthz`, asked every 20 ms by another process:
 * large configurations, pages and texts, and many hostile pages at once. A bare Fastify that does nothing else is asked at
 * the same times: what it takes, the machine takes from both. STALL_NAMES selects by name.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGitRepo } from '../test/support/git-repo.ts';
import { hostilePages } from '../test/support/hostile-pages.ts';
import { type PlatformServer, startPlatformServer } from './platform-server.ts';

const SIZE = 3_900_000;
/** Just below the size above which a configuration is not read. */
const CONFIG_SIZE = 1_000_000;
const NAMES = new RegExp(process.env['STALL_NAMES'] ?? '');

type Files = Readonly<Record<string, string>>;

const fill = (text: string, length = SIZE) => text.repeat(Math.floor(length / text.length));
const numbered = (write: (at: number) => string, length = SIZE) => {
  const parts: string[] = [];
  for (let at = 0, size = 0; size < length; at += 1) {
    const part = write(at);
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
};

/** Each is imported, and then imported again with a change. */
const REPOSITORIES: Readonly<Record<string, () => Files>> = {
  'mkdocs.yml, nav': () => ({
    'mkdocs.yml': `site_name: a\nnav:\n${numbered((at) => `  - P${at}: p${at}.md\n`, CONFIG_SIZE - 1_000)}`,
    'docs/index.md': '# A\n',
  }),
  'mkdocs.yml, deep': () => ({
    'mkdocs.yml': `site_name: a\nnav: ${fill('[', CONFIG_SIZE / 2 - 1_000)}${fill(']', CONFIG_SIZE / 2 - 1_000)}\n`,
    'docs/index.md': '# A\n',
  }),
  'mkdocs.yml, aliases': () => ({
    'mkdocs.yml': `site_name: a\nx: &a b\ny: [${fill('*a, ', CONFIG_SIZE - 1_000)}c]\n`,
    'docs/index.md': '# A\n',
  }),
  'mkdocs.yml, anchors': () => ({
    'mkdocs.yml': `site_name: a\ny: [${numbered((at) => `&a${at} b, *a${at}, `, CONFIG_SIZE - 1_000)}c]\n`,
    'docs/index.md': '# A\n',
  }),
  'mkdocs.yml, one letter': () => ({
    'mkdocs.yml': `site_name: a\nx: [${fill('a,', CONFIG_SIZE - 1_000)}b]\n`,
    'docs/index.md': '# A\n',
  }),
  'mkdocs.yml, twenty': () =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        [`d${at}/mkdocs.yml`, `site_name: a${at}\nx: [${fill('a,', CONFIG_SIZE - 1_000)}b]\n`],
        [`d${at}/docs/index.md`, '# A\n'],
      ]).flat(),
    ),
  'astro.config.mjs, redirects': () => ({
    'astro.config.mjs': `import starlight from '@astrojs/starlight';\nexport default { redirects: {\n${numbered((at) => `'/o${at}': '/p${at}',\n`, 250_000)}}, integrations: [starlight({ title: 'a' })] };`,
    'src/content/docs/index.md': `---\ntitle: a\n---\n\n${numbered((at) => `[a](/o${at})\n`, 250_000)}`,
  }),
  'front matter, aliases': () => ({
    'README.md': `---\ne: &e []\na: &a [${fill('*e, ', 3_000)}*e]\nz: [${fill('*a, ', 3_000)}*a]\n---\n\n# A\n`,
  }),
  'docusaurus.config.js, items': () => ({
    'docusaurus.config.js': `export default { title: 'a', baseUrl: '/', themeConfig: { navbar: { items: [${numbered((at) => `{ to: '/p${at}', label: 'a' },\n`, CONFIG_SIZE - 1_000)}] } } };`,
    'docs/intro.md': '# A\n',
  }),
  'docusaurus.config.js, spreads': () => ({
    'docusaurus.config.js': `const a = { x: 1 };\nexport default { title: 'a', y: [${fill('...[a],\n', CONFIG_SIZE - 1_000)}] };`,
    'docs/intro.md': '# A\n',
  }),
  'docusaurus.config.js, concatenation': () => ({
    'docusaurus.config.js': `export default { title: ${fill("'a'+\n", CONFIG_SIZE - 1_000)}'a', baseUrl: '/' };`,
    'docs/intro.md': '# A\n',
  }),
  'docusaurus.config.js, constants': () => ({
    'docusaurus.config.js': `${numbered((at) => `const a${at} = ${at === 0 ? 1 : `a${at - 1}`};\n`, CONFIG_SIZE - 1_000)}export default { title: 'a' };`,
    'docs/intro.md': '# A\n',
  }),
  '.gitbook.yaml, redirects': () => ({
    '.gitbook.yaml': `root: ./\nredirects:\n${numbered((at) => `  old${at}: p${at}.md\n`, CONFIG_SIZE - 1_000)}`,
    'SUMMARY.md': '* [A](README.md)\n',
    'README.md': '# A\n',
  }),
  'SUMMARY.md, items': () => ({
    '.gitbook.yaml': 'root: ./\n',
    'SUMMARY.md': `# Table of contents\n\n${numbered((at) => `* [P${at}](p${at}.md)\n`)}`,
    'README.md': '# A\n',
  }),
  'SUMMARY.md, nested': () => ({
    '.gitbook.yaml': 'root: ./\n',
    'SUMMARY.md': `# Table of contents\n\n${numbered((at) => `${' '.repeat((at % 60) * 2)}* [P${at}](p${at}.md)\n`)}`,
    'README.md': '# A\n',
  }),
  'docloom.yml, ignores': () => ({
    '.github/docloom.yml': `version: 1\nspaces:\n${numbered((at) => `  - path: d${at}\n`)}`,
    'README.md': '# A\n',
  }),
  'page, structure-preserving': () => ({ 'README.md': `# A\n\n${fill('text **bold** [l](a.md) `c` ')}\n` }),
  'page, includes': () => ({
    'book.toml': '',
    'src/SUMMARY.md': '- [A](a.md)\n',
    'src/a.md': fill('{{#include b.md}}\n\n', 400_000),
    'src/b.md': fill('word ', 400_000),
  }),
  'page, GitBook includes': () => ({
    '.gitbook.yaml': '',
    'SUMMARY.md': '* [A](README.md)\n',
    'README.md': fill('{% include ".gitbook/includes/b.md" %}\n\n', 400_000),
    '.gitbook/includes/b.md': `## H\n\n${fill('word ', 400_000)}`,
  }),
  'text, one word': () => ({ 'README.md': `# A\n\n${fill('a')}\n` }),
  'text, CJK': () => ({ 'README.md': `# A\n\n${fill('文書检索', 1_300_000)}\n` }),
  'text, words': () => ({ 'README.md': `# A\n\n${numbered((at) => `w${at.toString(36)} `)}\n` }),
  'text, headings': () => ({ 'README.md': numbered((at) => `## h${at}\n\nw${at}\n\n`) }),
  '40 hostile pages': () =>
    Object.fromEntries([...hostilePages(60_000)].slice(0, 40).map(([, page], at) => [`p${at}.md`, page])),
  '40 other hostile pages': () =>
    Object.fromEntries([...hostilePages(60_000)].slice(40, 80).map(([, page], at) => [`p${at}.mdx`, page])),
};

const DELAYS = '/dev/shm/docloom-stall-delays';

export async function run(): Promise<void> {
  const hook = new URL('./loop-delay.ts', import.meta.url).href;
  process.env['NODE_OPTIONS'] = `--import=${hook}`;
  process.env['LOOP_DELAY_FILE'] = DELAYS;
  await writeFile(DELAYS, '');
  const server = await startPlatformServer();
  delete process.env['NODE_OPTIONS'];
  try {
    await measure(server);
  } finally {
    await server.close();
  }
}

async function measure(server: PlatformServer): Promise<void> {
  const bare = await startBareServer();
  const poller = pollHealth(server.url, bare.url);
  await sleep(500);
  await poller.times();
  await longestBlock();
  await sleep(4_000);
  console.log(
    'what | seconds | p50 ms | p99 ms | longest ms | bare p50 ms | p99 ms | longest ms | longest block of the loop ms',
  );
  await report('idle', 4, await poller.times());
  for (const [name, files] of Object.entries(REPOSITORIES)) {
    if (!NAMES.test(name)) continue;
    const folder = `${name.replace(/\W+/g, '-')}.git`;
    const repo = await createGitRepo(join(server.repositories, folder));
    await repo.commit(files());
    const space = await server.createSpace(name);
    await poller.times();
    const step = async (what: string, work: () => Promise<unknown>) => {
      const started = performance.now();
      const error = await work().then(
        () => '',
        (failure: unknown) => ` (${String(failure).slice(0, 90)})`,
      );
      await sleep(300);
      await report(`${name}: ${what}${error}`, (performance.now() - started) / 1000, await poller.times());
    };
    await step('import', () => server.importBranch(space, `${server.gitUrl}/${folder}`, ''));
    await repo.commit({ 'other.md': '# Other\n\n[x](README.md)\n' });
    await step('import again', () => server.importBranch(space, `${server.gitUrl}/${folder}`, ''));
    await step('page', async () => {
      const id = await server.firstPage(space);
      await server.get(`/spaces/${space}/pages/${id}`);
      await server.get(`/v1/spaces/${space}/content/page/${id}?format=document`);
      await server.get(`/v1/spaces/${space}/search?query=a`);
    });
  }
  poller.stop();
  bare.stop();
}

/** How long answers took, in ms. */
interface Times {
  readonly health: readonly number[];
  readonly bare: readonly number[];
}

async function report(what: string, seconds: number, { health, bare }: Times): Promise<void> {
  const cells = [health, bare].flatMap((times) => {
    const sorted = times.toSorted((a, b) => a - b);
    return [0.5, 0.99, 1].map((part) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0),
    );
  });
  console.log([what, seconds.toFixed(1), ...cells, await longestBlock()].join(' | '));
}

const BARE = `
const fastify = require('fastify')();
fastify.get('/healthz', async () => ({ ok: true }));
fastify.listen({ host: '127.0.0.1', port: 0 }).then((url) => process.send(url));
`;

async function startBareServer() {
  const child = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [url] = (await once(child, 'message')) as [string];
  return { url, stop: () => child.kill() };
}

const POLL = `
const times = { health: [], bare: [] };
process.on('message', () => process.send({ health: times.health.splice(0), bare: times.bare.splice(0) }));
const { Agent, get } = require('node:http');
const agent = new Agent({ keepAlive: true });
const ask = (address, list) => {
  const started = performance.now();
  get(address + '/healthz', { agent }, (answer) => {
    answer.resume();
    answer.on('end', () => list.push(performance.now() - started));
  }).on('error', () => list.push(1e6));
};
setInterval(() => {
  ask(process.argv[1], times.health);
  ask(process.argv[2], times.bare);
}, 20);
`;

function pollHealth(url: string, bare: string) {
  const child = spawn(process.execPath, ['-e', POLL, url, bare], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    times: () =>
      new Promise<Times>((resolve) => {
        child.once('message', (times) => resolve(times as Times));
        child.send('times');
      }),
    stop: () => child.kill(),
  };
}

let seen = 0;
/** Since the last call. */
async function longestBlock(): Promise<number> {
  const delays = (await readFile(DELAYS, 'utf8')).trim().split('\n').map(Number);
  const longest = Math.max(0, ...delays.slice(seen));
  seen = delays.length;
  return longest;
}
