import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

async function modulesOfFirstPages(...args: readonly string[]): Promise<readonly string[]> {
  const file = fileURLToPath(new URL('./warm-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { timeout: PATIENCE_MS });
  return JSON.parse(stdout);
}

testAtLength(
  'a warm process loads no module for the first pages of readers, for which all others would wait',
  async () => {
    expect((await modulesOfFirstPages()).length).toBeGreaterThan(50);
    expect(await modulesOfFirstPages('warm')).toEqual([]);
  },
);
