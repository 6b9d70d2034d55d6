/**
 * A process that ingests the conversations which it reads, a line each, and works on them until it is killed. It prints the
 * number of each list that is stored. Run with DATABASE_URL and ORGANIZATION.
 */
import { createInterface } from 'node:readline';
import { clusterJob, conversationJob } from '../../../src/platform/conversations/conversation-jobs.ts';
import { groupIssues } from '../../../src/platform/conversations/group-issues.ts';
import { ingestConversations } from '../../../src/platform/conversations/ingest-conversations.ts';
import { processConversations } from '../../../src/platform/conversations/process-conversations.ts';
import { openQueue } from '../../../src/queue/index.ts';
import { openStore } from '../../../src/store/index.ts';

const organization = process.env['ORGANIZATION'] ?? '';
const store = await openStore({ dataDir: '/nonexistent', databaseUrl: process.env['DATABASE_URL'] });
const { db } = store;
const queue = await openQueue(store);
const log = { info() {}, warn() {}, error() {} };
const deps = { db, queue, log };
await queue.work(conversationJob, ({ organizationId }, context) =>
  processConversations(deps, organizationId, context),
);
await queue.work(clusterJob, ({ organizationId }, context) => groupIssues(deps, organizationId, context));
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { number, conversations } = JSON.parse(line);
  await db.transaction((tx) => ingestConversations(tx, queue, organization, conversations));
  process.stdout.write(`${number}\n`);
}
