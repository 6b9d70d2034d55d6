import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeFullDisk } from '../../src/server/describe-full-disk.ts';

test('a disk with less than the least free space is named full, with what is free', async () => {
  expect(await describeFullDisk(tmpdir(), 0)).toBeNull();
  expect(await describeFullDisk(tmpdir(), Number.POSITIVE_INFINITY)).toMatch(
    /^The disk of DATA_DIR is full \(\d+ MB are free\): free space there; .*\.$/,
  );
});

test('nothing is said of a folder that cannot be read', async () => {
  expect(await describeFullDisk(join(tmpdir(), 'nowhere', 'at-all'))).toBeNull();
});
