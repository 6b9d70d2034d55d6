import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startForge } from '../../../src/sandbox/index.ts';
import { claimFolder } from '../../../src/sandbox/state/claim-folder.ts';

let folder: string;
const file = () => join(folder, 'sandbox.pid');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-claim-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('one forge at a time uses a folder', async () => {
  const forge = await startForge({ dataDir: folder });
  await expect(startForge({ dataDir: folder })).rejects.toThrow(
    /Another sandbox in this process uses the folder/,
  );
  await forge.stop();
  await (await startForge({ dataDir: folder })).stop();
});

test('a forge of another process has the folder as long as it runs', async () => {
  claimFolder(folder)();
  const give = claimFolder(folder);
  const mine = JSON.parse(await readFile(file(), 'utf8'));
  give();
  const start =
    (await readFile(`/proc/${process.ppid}/stat`, 'utf8').catch(() => null))
      ?.split(')')
      .at(-1)
      ?.split(' ')[20] ?? 'alive';
  await writeFile(file(), JSON.stringify({ pid: process.ppid, start }));
  expect(() => claimFolder(folder)).toThrow(`Another sandbox in process ${process.ppid} uses`);
  for (const left of [
    { pid: process.ppid, start: 'before' },
    { pid: process.pid, start: mine.start },
    { pid: 2 ** 22 + 1, start: '1' },
    'x',
  ]) {
    await writeFile(file(), JSON.stringify(left));
    claimFolder(folder)();
  }
});
