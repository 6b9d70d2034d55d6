import type { FastifyInstance } from 'fastify';
import { type BlobStore, findSchemaTrouble, type Store } from '../store/index.ts';
import { describeFullDisk } from './describe-full-disk.ts';

/** The addresses that a load balancer or an orchestrator asks; a worker answers them, too. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/startupz', '/readyz', '/healthz']);

/** Whether this process takes requests. */
export class Readiness {
  #state: 'starting' | 'ready' | 'stopping' = 'starting';

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Whether it was ready once. */
  get hasStarted(): boolean {
    return this.#state !== 'starting';
  }

  get isStopping(): boolean {
    return this.#state === 'stopping';
  }

  start(): void {
    this.#state = 'ready';
  }

  stop(): void {
    this.#state = 'stopping';
  }
}

interface HealthParts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly dataDir: string;
  readonly readiness: Readiness;
}

/**
 * `/livez`: whether the process answers at all; it asks nobody, since a restart mends no database. `/startupz`: whether it
 * has started. `/readyz`: whether it takes requests now. `/healthz`: whether the database answers.
 */
export function registerHealth(fastify: FastifyInstance, parts: HealthParts): void {
  const { store, readiness } = parts;
  const quiet = { logLevel: 'warn' } as const;
  fastify.get('/livez', quiet, async () => ({ ok: true }));
  fastify.get('/startupz', quiet, async (_request, reply) =>
    reply.status(readiness.hasStarted ? 200 : 503).send({ ok: readiness.hasStarted }),
  );
  fastify.get('/healthz', quiet, async (_request, reply) => {
    const { ok, detail } = await store.health();
    return reply.status(ok ? 200 : 503).send({ ok, database: { kind: store.kind, detail } });
  });
  fastify.get('/readyz', quiet, async (_request, reply) => {
    const trouble = await findTrouble(parts);
    return reply
      .status(trouble === null ? 200 : 503)
      .send({ ok: trouble === null, detail: trouble ?? 'Ready for requests.' });
  });
  // Connections of a balancer that stay open would lead to this process until it is gone.
  fastify.addHook('onSend', async (_request, reply) => {
    if (readiness.isStopping) reply.header('connection', 'close');
  });
}

async function findTrouble({ store, blobs, dataDir, readiness }: HealthParts): Promise<string | null> {
  if (readiness.isStopping) return 'The server is stopping.';
  const { ok, detail } = await store.health();
  if (!ok) return detail;
  const trouble =
    (await findSchemaTrouble(store.db)) ?? (await describeFullDisk(dataDir)) ?? (await blobs.findTrouble());
  return trouble ?? (readiness.isReady ? null : 'The server is starting.');
}
