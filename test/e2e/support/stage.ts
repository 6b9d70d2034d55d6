import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openStage, type Stage } from '../../../src/cli/demo/open-stage.ts';
import type { Environment } from '../../../src/server/config/settings.ts';
import { createMigratedDatabase } from '../../support/database.ts';
import { watchRequests } from '../../support/github/watch-requests.ts';
import { pickStagePorts } from '../../support/pick-port.ts';

/** Making a database takes seconds, and minutes on a machine that is very busy. */
const START_MS = 240_000;

/**
 * A forge and a running `docloom serve` for one test file. A call that the forge does not know, or that GitHub
 * would not take, fails the test that caused it.
 */
export function useStage(
  env: () => Promise<Environment> | Environment = () => ({}),
  publicUrl: () => string | undefined = () => undefined,
  firstMain?: string,
): () => Stage {
  let stage: Stage | undefined;
  const stop = new AbortController();
  const watch = watchRequests();
  beforeAll(async () => {
    const environment = await env();
    const address = publicUrl();
    stage = await openStage({
      signal: stop.signal,
      ports: await pickStagePorts(),
      env: { ONBOARDING: 'off', NODE_OPTIONS: process.env['NODE_OPTIONS'], ...environment },
      ...(address === undefined ? {} : { publicUrl: address }),
      firstMain,
      onRequest: watch.onRequest,
    });
  }, START_MS);
  afterEach(() => {
    stage?.forge.faults.clear();
    expect(stage?.forge.unexpected ?? []).toEqual([]);
    expect([...watch.problems]).toEqual([]);
  });
  afterAll(async () => {
    stop.abort();
    await stage?.close();
  });
  return () => {
    if (!stage) throw new Error('The stage opens before the first test.');
    return stage;
  };
}

/**
 * Settings for a stage on the PostgreSQL of the test run: for tests that do not care where the database is, since making
 * the embedded one takes longer than most of them.
 */
export function useRunsDatabase(): () => Promise<Environment> {
  let drop: (() => Promise<void>) | undefined;
  afterAll(() => drop?.());
  return async () => {
    const database = await createMigratedDatabase();
    ({ drop } = database);
    return { DATABASE_URL: database.url };
  };
}
