/**
 * Measures how long hostile pages block the thread of a server that answers: each kind of page is imported, and read as a
 * page for people, as nodes, as Markdown and by search. HOSTILE_LENGTH is the length of a page in characters.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGitRepo } from '../test/support/git-repo.ts';
import { hostilePages } from '../test/support/hostile-pages.ts';
import { type PlatformServer, startPlatformServer } from './platform-server.ts';

const LENGTH = Number(process.env['HOSTILE_LENGTH'] ?? 60_000);
const NAMES = new RegExp(process.env['HOSTILE_NAMES'] ?? '');
const DELAYS = '/dev/shm/docloom-loop-delays';

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
  const address = `${server.gitUrl}/hostile.git`;
  const repo = await createGitRepo(join(server.repositories, 'hostile.git'));
  const space = await server.createSpace('Hostile');
  await repo.commit({ 'README.md': '# Hello\n' });
  await server.importBranch(space, address, '');
  console.log('page | import | page | nodes | markdown | search | change (longest block in ms)');
  for (const [name, page] of [['an ordinary page', '# A\n\nb\n'] as const, ...hostilePages(LENGTH)]) {
    if (!NAMES.test(name)) continue;
    await repo.commit({ 'README.md': page });
    const cells = [name];
    const step = async (work: () => Promise<unknown>) => {
      await longestBlock();
      await work();
      await sleep(120);
      cells.push(String(await longestBlock()));
    };
    await step(() => server.importBranch(space, address, ''));
    const id = await server.firstPage(space);
    await step(() => server.get(`/spaces/${space}/pages/${id}`));
    await step(() => server.get(`/v1/spaces/${space}/content/page/${id}?format=document`));
    await step(() => server.get(`/v1/spaces/${space}/content/page/${id}?format=markdown`));
    await step(() => server.get(`/v1/spaces/${space}/search?query=a`));
    await repo.commit({ 'README.md': `${page}\n\nx [y](z.md)\n` });
    await step(() => server.importBranch(space, address, ''));
    console.log(cells.join(' | '));
  }
}

let seen = 0;
/** Since the last call. */
async function longestBlock(): Promise<number> {
  const delays = (await readFile(DELAYS, 'utf8')).trim().split('\n').map(Number);
  const longest = Math.max(0, ...delays.slice(seen));
  seen = delays.length;
  return longest;
}
