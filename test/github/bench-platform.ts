import { join } from 'node:path';
import { createClient, type PlatformClient } from '../../src/client/index.ts';
import { openMailer } from '../../src/identity/index.ts';
import { createHttp } from '../../src/net/http.ts';
import {
  createDeriver,
  createToken,
  type PlatformDeps,
  registerPlatform,
  startPlatformJobs,
} from '../../src/platform/index.ts';
import { openFolderBlobs, openSealer } from '../../src/store/index.ts';
import type { BenchParts, BenchPlatform } from './app-bench.ts';

export interface RealPlatform extends BenchPlatform {
  readonly client: PlatformClient;
  readonly organization: string;
  readonly deps: PlatformDeps;
}

/** The real platform on the same server, reached over HTTP as in production. */
export async function openBenchPlatform(
  parts: BenchParts,
  more: Pick<PlatformDeps, 'onDiscussionChanged'> = {},
): Promise<RealPlatform> {
  const { server, store, queue, git, guard, url, dataDir, log } = parts;
  const blobs = await openFolderBlobs(join(dataDir, 'blobs'));
  const sealer = openSealer({ dataDir });
  const deps = {
    db: store.db,
    queue,
    mailer: openMailer({ db: store.db, queue, sealer, smtp: null }),
    git,
    blobs,
    sealer,
    guard,
    publicUrl: url,
    sitesUrl: null,
    log,
    deriver: createDeriver(),
    ...more,
  };
  await registerPlatform(server, deps);
  const { token, organization } = await createToken(store.db, { name: 'test', role: 'admin' });
  const http = createHttp({ userAgent: 'docloom-test' });
  server.addHook('onClose', () => http.close());
  return {
    client: createClient({ baseUrl: url, token, http }),
    organization: organization.id,
    deps,
    organizationId: async () => organization.id,
    start: () => startPlatformJobs(deps),
  };
}
