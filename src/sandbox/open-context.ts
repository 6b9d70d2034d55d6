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

/** What Docloom's manifest, `app.yml`, asks for; a test holds them together. */
const defaultPermissions: Permissions = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
};
const defaultEvents = [
  'push',
  'pull_request',
  'check_run',
  'check_suite',
  'merge_group',
  'repository',
] as const;

/** GitHub keeps deliveries for three days; here so many of the newest are kept, which take some 100 MB at most. */
const KEPT_DELIVERIES = 10_000;

/** The context with what only the forge itself may do to it. */
export interface OpenContext extends ForgeContext {
  url: string;
  readonly turns: KeyedQueue;
}

/** Reads what an earlier run left in the data folder, or starts empty. */
export async function openContext(options: ForgeOptions): Promise<OpenContext> {
  const dataDir = resolve(options.dataDir);
  await mkdir(`${dataDir}/repositories`, { recursive: true });
  const data = await readJsonFile(`${dataDir}/state.json`, emptyForgeData());
  const { journal, deliveries } = await DeliveryJournal.open(`${dataDir}/deliveries.jsonl`, KEPT_DELIVERIES);
  const stateFile = new JsonFile(`${dataDir}/state.json`, () => data);
  const now = options.now ?? (() => new Date());
  const nextId = (): number => {
    data.nextId += 1;
    return data.nextId - 1;
  };
  let app: ForgeContext['app'] = null;
  const turns = new KeyedQueue();
  const faults: Faults = new Faults(() => webhooks.releaseHeld());
  const webhooks = new WebhookSender({
    deliveries,
    faults,
    app: () => app,
    now,
    nextId,
    journal,
    kept: KEPT_DELIVERIES,
    log: options.log ?? (() => undefined),
  });
  return {
    data,
    dataDir,
    faults,
    webhooks,
    url: '',
    turns,
    pendingApps: new Map(),
    get app() {
      return app;
    },
    now,
    nextId,
    save: () => stateFile.save(),
    enqueue: (key, work) => turns.run(key, work),
    register(wanted) {
      const bot = ensureAccount({ data, nextId, now }, `${wanted.slug}[bot]`, 'Bot');
      app = {
        permissions: defaultPermissions,
        events: defaultEvents,
        name: wanted.slug,
        owner: '',
        setupUrl: '',
        laterKeys: [],
        ...wanted,
        bot,
        createdAt: timestamp(now()),
      };
    },
  };
}
