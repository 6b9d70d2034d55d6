/**
 * Measures the platform's main jobs with a real server, its embedded PostgreSQL, and git over HTTP: the first import of
 * generated repositories, the time until a push of 3 files is visible, and reads of a large space. The floors are a shallow
 * clone of the same repository by the git program, and the same push to the small repository.
 */
import { join } from 'node:path';
import { operations, type PlatformClient } from '../src/client/index.ts';
import { createGitRepo, type TestRepo } from '../test/support/git-repo.ts';
import { medianOf, runProgram, startPlatformServer, timed } from './platform-server.ts';

const SIZES = (process.env['BENCH_PAGES'] ?? '1000,10000').split(',').map(Number);
const LINKS = 10;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);

export async function run(): Promise<void> {
  const server = await startPlatformServer();
  try {
    console.log('pages | clone ms | first import ms | ratio | push of 3 files visible, median ms | max');
    const medians: number[] = [];
    let largest = '';
    for (const pages of SIZES) {
      const made = await makeRepo(join(server.repositories, `r${pages}.git`), pages);
      const address = `${server.gitUrl}/r${pages}.git`;
      const clone = await timed(() =>
        runProgram(server.folder, ['git', 'clone', '-q', '--depth', '1', address, `c${pages}`]),
      );
      const space = await server.createSpace(`${pages} pages`);
      const first = await timed(() => server.importBranch(space, address, 'docs'));
      const pushes: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await changeThree(made, pages, round);
        pushes.push(await timed(() => server.importBranch(space, address, 'docs')));
      }
      const median = medianOf(pushes);
      medians.push(median);
      largest = space;
      console.log(
        [pages, clone, first, (first / clone).toFixed(2), median, Math.max(...pushes)]
          .map((cell) => (typeof cell === 'number' ? Math.round(cell) : cell))
          .join(' | '),
      );
    }
    const [small = 0, large = 0] = [medians[0], medians.at(-1)];
    console.log(
      `A push into ${SIZES.at(-1)} pages takes ${(large / small).toFixed(2)} times that into ${SIZES[0]}.`,
    );
    await measureReads(server.client, largest);
    console.log(
      `The server uses ${toText(await server.memory())} MB of memory, ${toText(await server.peak())} MB at its peak.`,
    );
  } finally {
    await server.close();
  }
}

function textOf(page: number, pages: number, salt: string): string {
  const links = Array.from({ length: LINKS }, (_, at) => {
    const target = (page * 7 + at * 13 + 1) % pages;
    return `See [page ${target}](../${Math.floor(target / 100)}/p${target}.md#part) for more.`;
  });
  return `# Page ${page}\n\n## Part\n\nSome words ${salt}.\n\n${links.join('\n\n')}\n`;
}

const pathOf = (page: number) => `docs/${Math.floor(page / 100)}/p${page}.md`;

async function makeRepo(dir: string, pages: number): Promise<TestRepo> {
  const repo = await createGitRepo(dir);
  const files = Array.from(
    { length: pages },
    (_, page) => [pathOf(page), textOf(page, pages, 'first')] as const,
  );
  await repo.commit(Object.fromEntries(files));
  return repo;
}

async function changeThree(repo: TestRepo, pages: number, round: number): Promise<void> {
  const changed = [1, Math.floor(pages / 2), pages - 2].map(
    (page) => [pathOf(page), textOf(page, pages, `of round ${round}`)] as const,
  );
  await repo.commit(Object.fromEntries(changed));
}

async function measureReads(client: PlatformClient, spaceId: string): Promise<void> {
  const { pages } = await client.call(operations.listPages, { params: { spaceId } });
  const leaf = (page: (typeof pages)[number]): string => (page.pages[0] ? leaf(page.pages[0]) : page.id);
  const pageId = pages[0] ? leaf(pages[0]) : '';
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    'a page': () =>
      client.call(operations.getPage, { params: { spaceId, pageId }, query: { format: 'markdown' } }),
    "a page's links": () => client.call(operations.listPageLinks, { params: { spaceId, pageId } }),
    "a page's backlinks": () => client.call(operations.listPageBacklinks, { params: { spaceId, pageId } }),
    "a space's links": () => client.call(operations.listLinks, { params: { spaceId } }),
    'broken links': () =>
      client.call(operations.listLinks, { params: { spaceId }, query: { status: 'broken' } }),
    files: () => client.call(operations.listFiles, { params: { spaceId } }),
    'a search': () =>
      client.call(operations.searchSpace, { params: { spaceId }, query: { query: 'page 4321' } }),
    'a search for a word of all pages': () =>
      client.call(operations.searchSpace, { params: { spaceId }, query: { query: 'words' } }),
    'all pages': () => client.call(operations.listPages, { params: { spaceId } }),
  };
  for (const [name, read] of Object.entries(reads)) {
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) times.push(await timed(read));
    console.log(`Reading ${name}: median ${medianOf(times.slice(5)).toFixed(1)} ms.`);
  }
}

function toText(megabytes: number | null): string {
  return megabytes === null ? '?' : String(Math.round(megabytes));
}
