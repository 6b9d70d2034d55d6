import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { eq } from 'drizzle-orm';
import { groupIssues } from '../../../src/platform/conversations/group-issues.ts';
import {
  ingestConversations,
  type SourcedConversation,
} from '../../../src/platform/conversations/ingest-conversations.ts';
import { processConversations } from '../../../src/platform/conversations/process-conversations.ts';
import { type Db, listUnprocessed, newId, tables } from '../../../src/store/index.ts';
import { waitFor } from '../../support/wait-for.ts';

/** How many conversations go in one request. */
const BATCH = 20;

const THINGS = [
  'export',
  'import',
  'search',
  'sidebar',
  'webhook',
  'login',
  'domain',
  'translation',
  'comment',
  'picture',
];
const TROUBLES = ['is slow', 'fails with an error', 'shows nothing', 'cannot be found', 'needs a setting'];
const PLACES = ['on Windows', 'since yesterday', 'for guests', 'in the API', 'after an update'];

/** Conversations about 50 topics, each worded in a few ways. */
export function makeConversations(count: number): readonly SourcedConversation[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `ticket-${at}`,
    source: at % 3 === 0 ? 'email' : 'integration:desk:api',
    metadata: { createdAt: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString() },
    parts: [
      {
        type: 'message' as const,
        role: 'user' as const,
        body: `Why does the ${THINGS[at % 10]} say that it ${TROUBLES[Math.floor(at / 10) % 5]} ${PLACES[(at * 7) % 5]}?`,
      },
    ],
  }));
}

/** What came out, in terms of what was sent. */
export interface Outcome {
  readonly conversations: number;
  readonly issues: number;
  /** Each cluster's label and the ids of its conversations. */
  readonly clusters: readonly string[];
}

/** Ingests each once, in order and undisturbed. */
export async function ingestInOrder(
  db: Db,
  organizationId: string,
  conversations: readonly SourcedConversation[],
): Promise<Outcome> {
  const queue = { enqueue: async () => {} };
  const log = { info() {}, warn() {}, error() {} };
  const deps = { db: db as never, queue: queue as never, log };
  const { signal } = new AbortController();
  for (let at = 0; at < conversations.length; at += BATCH)
    await db.transaction((tx) =>
      ingestConversations(tx, queue, organizationId, conversations.slice(at, at + BATCH)),
    );
  await processConversations(deps, organizationId, { signal });
  await groupIssues(deps, organizationId, { signal });
  return await readOutcome(db, organizationId);
}

/** Ingests them in another order, many twice, by a process that is killed again and again; waits until all is done. */
export async function ingestShaken(
  db: Db,
  options: {
    readonly databaseUrl: string;
    readonly organizationId: string;
    readonly conversations: readonly SourcedConversation[];
    readonly kills: number;
    /** Numbers from 0 to 1. */
    readonly random: () => number;
  },
): Promise<Outcome> {
  const { databaseUrl, organizationId, conversations, kills, random } = options;
  const order = [...conversations, ...conversations.filter(() => random() < 0.3)]
    .map((conversation) => ({ conversation, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ conversation }) => conversation);
  const batches: SourcedConversation[][] = [];
  for (let at = 0; at < order.length; at += BATCH) batches.push(order.slice(at, at + BATCH));
  const open = new Set(batches.keys());
  for (let left = kills; ; left -= 1) {
    const child = startChild(databaseUrl, organizationId);
    try {
      const until = left > 0 ? Math.ceil(open.size / (left + 1)) : open.size;
      await sendAll(child, batches, open, until);
      if (left > 0) continue;
      await waitFor(async () => {
        const waiting = await listUnprocessed(db, organizationId, 1);
        return waiting.length === 0 && (await db.$count(tables.jobs)) === 0;
      });
      return await readOutcome(db, organizationId);
    } finally {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
  }
}

/** Sends what is not known to be stored, until the process said so of `until` more. */
async function sendAll(
  child: ChildProcess,
  batches: readonly SourcedConversation[][],
  open: Set<number>,
  until: number,
): Promise<void> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('The process has no streams.');
  stdin.on('error', () => {});
  let stored = 0;
  for await (const line of createInterface({ input: stdout })) {
    if (line === 'ready')
      for (const number of open)
        stdin.write(`${JSON.stringify({ number, conversations: batches[number] })}\n`);
    else {
      open.delete(Number(line));
      stored += 1;
    }
    if (stored >= until) return;
  }
  throw new Error('The process ended by itself.');
}

function startChild(databaseUrl: string, organizationId: string): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  return spawn(process.execPath, [new URL('./ingest-process.ts', import.meta.url).pathname], {
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, DATABASE_URL: databaseUrl, ORGANIZATION: organizationId },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function readOutcome(db: Db, organizationId: string): Promise<Outcome> {
  const { conversationIssues, conversations, issueClusters } = tables;
  const rows = await db
    .select({ label: issueClusters.label, id: issueClusters.id, source: conversations.sourceId })
    .from(conversationIssues)
    .innerJoin(conversations, eq(conversations.id, conversationIssues.conversationId))
    .leftJoin(issueClusters, eq(issueClusters.id, conversationIssues.clusterId))
    .where(eq(conversationIssues.organizationId, organizationId));
  const clusters = new Map<string, string[]>();
  for (const { id, label, source } of rows) {
    const key = `${id} ${label}`;
    clusters.set(key, [...(clusters.get(key) ?? []), source]);
  }
  return {
    conversations: await db.$count(conversations, eq(conversations.organizationId, organizationId)),
    issues: rows.length,
    clusters: [...clusters]
      .map(([key, sources]) => `${key.slice(key.indexOf(' ') + 1)}: ${sources.sort().join(' ')}`)
      .sort(),
  };
}

export async function createOrganization(db: Db): Promise<string> {
  const id = newId();
  await db.insert(tables.organizations).values({ id, title: id });
  return id;
}
