/**
 * Set-up of the `unit` project: its tests start no program and no database, so that they stay fast and run anywhere.
 * Local HTTP is free to them.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

const fail = (what: string) => {
  throw new Error(
    `A unit test may not ${what}: move the test to a room's folder of the system project, or test the decision without it (vitest.config.ts says which files are unit tests).`,
  );
};

const startProgram = () => fail('start a program');
for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const) {
  childProcess[name] = startProgram as never;
}
syncBuiltinESMExports();
pg.Client.prototype.connect = () => fail('open a database');
