import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareFolder } from '../../src/cli/prepare-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-folder-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('folders are created with their parents, and may exist already', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await prepareFolder(path, 'DATA_DIR');
  await prepareFolder(path, 'DATA_DIR');
  expect((await stat(path)).isDirectory()).toBe(true);
});

test('the error for a file in its place names the setting to change', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'data')]) {
    await expect(prepareFolder(path, 'DATA_DIR')).rejects.toThrow(
      `The data folder ${path} cannot be used: a file is in its place or above it. Choose another folder with DATA_DIR, or change this one.`,
    );
  }
});

test.runIf(process.platform === 'linux')(
  'a file system that takes no folder is no endless loop',
  async () => {
    await expect(prepareFolder('/proc/docloom/data', 'DATA_DIR')).rejects.toThrow(
      'The data folder /proc/docloom/data cannot be used: it cannot be made there.',
    );
  },
);
