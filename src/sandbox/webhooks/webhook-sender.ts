import { randomUUID } from 'node:crypto';
import type { Faults, WebhookFault } from '../faults.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import type { DeliveryJournal } from '../state/delivery-journal.ts';
import type { ActiveApp, DeliveryAttempt, DeliveryRecord } from '../state/records.ts';
import { postDelivery } from './post-delivery.ts';

export interface WebhookEvent {
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number;
  readonly repositoryId: number | null;
  readonly payload: object;
}

export interface WebhookSenderParts {
  readonly deliveries: DeliveryRecord[];
  readonly faults: Pick<Faults, 'strikeDelivery'>;
  readonly app: () => ActiveApp | null;
  readonly now: () => Date;
  readonly nextId: () => number;
  /** Stores each change of `deliveries`. */
  readonly journal: Pick<DeliveryJournal, 'add'>;
  /** How many of the newest deliveries are retained. */
  readonly maxDeliveries: number;
  readonly log: (line: string) => void;
}

/** The deliveries that a fault delays, to send them in reverse. */
interface DelayedGroup {
  readonly fault: WebhookFault & { kind: 'reorder' };
  readonly deliveries: DeliveryRecord[];
}

/**
 * Sends events to the App and records every attempt.
 * The deliveries of a repository are sent one after another, so without faults they arrive in order.
 */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #queues = new KeyedQueue();
  readonly #writes = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #delayed: DelayedGroup | null = null;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  /** Newest last. */
  get deliveries(): readonly DeliveryRecord[] {
    return this.#parts.deliveries;
  }

  /** Queues an event, and does not wait until it is delivered. Without an App it is ignored. */
  emit(event: WebhookEvent): void {
    if (!this.#parts.app()) return;
    const { payload, ...head } = event;
    const delivery: DeliveryRecord = {
      guid: randomUUID(),
      ...head,
      body: JSON.stringify(payload),
      createdAt: this.#parts.now().toISOString(),
      attempts: [],
    };
    this.#parts.deliveries.push(delivery);
    this.#parts.deliveries.splice(0, Math.max(0, this.#parts.deliveries.length - this.#parts.maxDeliveries));
    this.#store({ delivery: { ...delivery, attempts: [] } }).catch(() => undefined);
    const fault = this.#parts.faults.strikeDelivery({ ...delivery, payload });
    if (this.#delayed) this.#delay(this.#delayed, delivery);
    else if (!fault) this.#queue(delivery);
    else this.#strike(fault, delivery);
  }

  /** Sends a delivery again, under the same guid. */
  redeliver(delivery: DeliveryRecord): void {
    this.#queue(delivery, { redelivery: true });
  }

  /** Sends the deliveries that faults still delay: late ones at once, reordered ones with the newest first. */
  releaseDelayed(): void {
    const delayed = this.#delayed;
    this.#delayed = null;
    for (const delivery of delayed?.deliveries.reverse() ?? []) this.#queue(delivery);
    this.#wakeAll();
  }

  /** Resolves when every delivery that is not delayed was attempted. */
  async settled(): Promise<void> {
    await this.#queues.settled();
  }

  /** Aborts deliveries that are under way; they can be redelivered after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeAll();
    await this.#queues.settled();
    await Promise.allSettled(this.#writes);
  }

  #strike(fault: WebhookFault, delivery: DeliveryRecord): void {
    switch (fault.kind) {
      case 'duplicate':
        // In parallel: the harder case for the receiver.
        this.#queue(delivery);
        this.#queue(delivery, { queueKey: `twin ${delivery.guid}` });
        return;
      case 'delay':
        // A late delivery does not delay later ones.
        this.#queue(delivery, { queueKey: `late ${delivery.guid}`, delayMs: fault.delayMs });
        return;
      case 'reorder':
        this.#delayed = { fault, deliveries: [] };
        this.#delay(this.#delayed, delivery);
        return;
      case 'drop':
        this.#record(delivery, {
          redelivery: false,
          statusCode: 502,
          status: 'failed to connect to host',
          durationSeconds: 0,
          answer: { headers: {}, body: '' },
        });
    }
  }

  #delay(group: DelayedGroup, delivery: DeliveryRecord): void {
    group.deliveries.push(delivery);
    if (group.deliveries.length >= group.fault.count) this.releaseDelayed();
  }

  #queue(
    delivery: DeliveryRecord,
    options: { redelivery?: boolean; queueKey?: string; delayMs?: number } = {},
  ): void {
    const { redelivery = false, delayMs = 0 } = options;
    this.#queues
      .run(options.queueKey ?? `repository ${delivery.repositoryId}`, async () => {
        if (delayMs > 0) await this.#wait(delayMs);
        const app = this.#parts.app();
        if (!app || this.#stopping.signal.aborted) return;
        const result = await postDelivery(app, delivery, this.#stopping.signal);
        if (result) await this.#record(delivery, { redelivery, ...result });
      })
      .catch(() => undefined);
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, milliseconds);
      this.#timers.set(timer, resolve);
    });
  }

  #wakeAll(): void {
    for (const [timer, wake] of this.#timers) {
      clearTimeout(timer);
      wake();
    }
    this.#timers.clear();
  }

  #record(delivery: DeliveryRecord, attempt: Omit<DeliveryAttempt, 'id' | 'at'>): Promise<void> {
    const recorded = { id: this.#parts.nextId(), at: this.#parts.now().toISOString(), ...attempt };
    delivery.attempts.push(recorded);
    this.#parts.log(`webhook ${delivery.event} ${delivery.guid} ${attempt.statusCode} ${attempt.status}`);
    return this.#store({ guid: delivery.guid, attempt: recorded });
  }

  #store(entry: Parameters<DeliveryJournal['add']>[0]): Promise<void> {
    const write = this.#parts.journal.add(entry).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
    return write;
  }
}
