import * as childProcess from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, it } from 'vitest';

const { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } = childProcess;
const starts = { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync };

it.each(Object.entries(starts))('a unit test cannot start a program with %s', (_, start) => {
  expect(() => (start as (program: string) => unknown)(process.execPath)).toThrow(
    'A unit test may not start a program: move the test',
  );
});

it('forbids every function that starts programs', () => {
  const functions = Object.entries(childProcess).filter(([, value]) => typeof value === 'function');
  const names = functions.map(([name]) => name).filter((name) => /^[a-z]/.test(name) && name !== 'default');
  expect(names.toSorted()).toEqual(Object.keys(starts).toSorted());
});

it('a unit test cannot start a program and wait for it, either', async () => {
  await expect(promisify(execFile)(process.execPath)).rejects.toThrow('may not start a program');
});

it.each([
  ['a client', () => new pg.Client({ connectionString: 'postgres://localhost:1/none' }).connect()],
  ['a pool', () => new pg.Pool({ connectionString: 'postgres://localhost:1/none' }).connect()],
])('a unit test cannot open a database through %s', async (_, open) => {
  await expect((async () => await open())()).rejects.toThrow('A unit test may not open a database');
});
