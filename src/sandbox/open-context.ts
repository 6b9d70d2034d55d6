import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ensureAccount } from './actions/accounts.ts';
import { Faults } from './faults.ts';
import type { ForgeOptions } from './forge.ts';
import { type ForgeContext, timestamp } from './forge-context.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { DeliveryJournal } from './state/delivery-journal.ts';
import { JsonFile, readJsonFile } from './state/json-file.ts';
import { emptyForgeData, type Permissions } from './state/records.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';

/** The permissions of Docloom's manifest, `app.yml`; a test compares them. */
const defaultPermissions: Permissions = {
  checks: 'write',
  contents: 'write',
  discussions: 'read',
  emails: 'read',
  issues: 'write',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
};
const defaultEvents = [
  'push',
  'pull_request',
  'pull_request_review_comment',
  'check_run',
  'check_suite',
  'merge_group',
  'issues',
  'issue_comment',
  'discussion',
  'discussion_comment',
  'repository',
] as const;

/** GitHub retains deliveries for three days; here the newest are retained, which take about 100 MB at most. */
const MAX_DELIVERIES = 10_000;

/** The context with the parts that only the forge itself may use. */
export interface OpenContext extends ForgeContext {
  url: string;
  readonly queues: KeyedQueue;
}

/** Reads the state of an earlier run from the data folder, or starts empty. */
export async function openContext(options: ForgeOptions): Promise<OpenContext> {
  const dataDir = resolve(options.dataDir);
  await mkdir(`${dataDir}/repositories`, { recursive: true });
  const data = await readJsonFile(`${dataDir}/state.json`, emptyForgeData());
  const { journal, deliveries } = await DeliveryJournal.open(`${dataDir}/deliveries.jsonl`, MAX_DELIVERIES);
  const stateFile = new JsonFile(`${dataDir}/state.json`, () => data);
  const now = options.now ?? (() => new Date());
  const nextId = (): number => {
    data.nextId += 1;
    return data.nextId - 1;
  };
  let app: ForgeContext['app'] = null;
  const queues = new KeyedQueue();
  const faults: Faults = new Faults(() => webhooks.releaseDelayed());
  const webhooks = new WebhookSender({
    deliveries,
    faults,
    app: () => app,
    now,
    nextId,
    journal,
    maxDeliveries: MAX_DELIVERIES,
    log: options.log ?? (() => undefined),
  });
  return {
    data,
    dataDir,
    faults,
    webhooks,
    url: '',
    queues,
    pendingApps: new Map(),
    pendingAuthorizations: new Map(),
    get app() {
      return app;
    },
    now,
    nextId,
    save: () => stateFile.save(),
    enqueue: (key, work) => queues.run(key, work),
    register(registration) {
      const bot = ensureAccount({ data, nextId, now }, `${registration.slug}[bot]`, 'Bot');
      app = {
        permissions: defaultPermissions,
        events: defaultEvents,
        name: registration.slug,
        owner: '',
        setupUrl: '',
        callbackUrls: [],
        clientSecretHash: '',
        laterKeys: [],
        ...registration,
        bot,
        createdAt: timestamp(now()),
      };
    },
  };
}
