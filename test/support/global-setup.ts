/**
 * One PostgreSQL for a test run: the server of TEST_DATABASE_URL or DATABASE_URL, or an embedded one.
 * It starts when the first test asks for it, so tests without a database do not pay for it.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeMemoryFolder } from './memory-folder.ts';
import { startTestServer, type TestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A unix socket that answers with the JSON of {@link TestServer}'s `urls` when the server is ready. */
    databaseServer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Whoever names a folder for temporary files means it.
  const memory = process.env['TMPDIR'] ? null : await makeMemoryFolder();
  if (memory !== null) {
    await chmod(memory, 0o755); // as root, PostgreSQL runs as another user
    process.env['TMPDIR'] = memory;
  }
  const folder = await mkdtemp(join(tmpdir(), 'docloom-test-'));
  let started: Promise<TestServer> | undefined;
  const door = createServer((socket) => {
    socket.on('error', () => {}); // a worker that was ended while it waited
    started ??= startTestServer(folder, memory !== null);
    started.then(
      ({ urls }) => socket.end(JSON.stringify(urls)),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    );
  });
  const path = join(folder, 'door');
  await new Promise<void>((resolve) => door.listen(path, resolve));
  project.provide('databaseServer', path);

  return async () => {
    await new Promise((resolve) => door.close(resolve));
    const server = await started?.catch(() => undefined);
    await server?.close();
    for (const candidate of [folder, memory]) {
      if (candidate !== null) await rm(candidate, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}
