import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trimLog } from '../../src/store/embedded/run-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docloom-log-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const locate = (name: string) => {
  const base = join(folder, name);
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switches: false };
  return { base, inside: true, data: base, socket: base, log: base, user };
};

test('the log of a server that runs for long is emptied while it runs, and its end is kept', () => {
  const location = locate('server.log');
  writeFileSync(location.log, `${'a'.repeat(3_000)}the end`);
  trimLog(location, 10_000);
  expect(readFileSync(location.log)).toHaveLength(3_007);
  trimLog(location, 1_000);
  appendFileSync(location.log, 'next');
  expect(readFileSync(location.log, 'utf8')).toBe('next');
  expect(readFileSync(`${location.log}.1`, 'utf8')).toBe(`${'a'.repeat(993)}the end`);
  writeFileSync(location.log, 'b'.repeat(1_001));
  trimLog(location, 1_000);
  expect(readFileSync(`${location.log}.1`, 'utf8')).toBe('b'.repeat(1_000));
});

test('it follows no symbolic link of the folder, which belongs to another user', () => {
  const location = locate('linked.log');
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'secret');
  writeFileSync(location.log, 'c'.repeat(20));
  symlinkSync(secret, `${location.log}.1`);
  expect(() => trimLog(location, 10)).toThrow('ELOOP');
  expect(readFileSync(secret, 'utf8')).toBe('secret');
});
