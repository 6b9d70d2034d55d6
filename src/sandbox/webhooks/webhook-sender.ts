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
  /** Gets each change of `deliveries`. */
  readonly journal: Pick<DeliveryJournal, 'add'>;
  /** How many deliveries are remembered, the newest. */
  readonly kept: number;
  readonly log: (line: string) => void;
}

interface Held {
  readonly fault: WebhookFault & { kind: 'reorder' };
  readonly deliveries: DeliveryRecord[];
}

/**
 * Sends events to the App and remembers every try.
 * The deliveries of one repository go out one after the other, so without faults they arrive in order.
 */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #turns = new KeyedQueue();
  readonly #writes = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  #held: Held | null = null;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  /** Newest last. */
  get deliveries(): readonly DeliveryRecord[] {
    return this.#parts.deliveries;
  }

  /** Takes an event; the call does not wait until it is delivered. Without an App nobody listens. */
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
    this.#parts.deliveries.splice(0, Math.max(0, this.#parts.deliveries.length - this.#parts.kept));
    this.#keep({ delivery: { ...delivery, attempts: [] } }).catch(() => undefined);
    const fault = this.#parts.faults.strikeDelivery({ ...delivery, payload });
    if (this.#held) this.#hold(this.#held, delivery);
    else if (!fault) this.#queue(delivery);
    else this.#strike(fault, delivery);
  }

  /** Sends a delivery again, under the same guid. */
  redeliver(delivery: DeliveryRecord): void {
    this.#queue(delivery, { redelivery: true });
  }

  /** Sends what faults still hold back: what is late at once, what is to be re-ordered with the newest first. */
  releaseHeld(): void {
    const held = this.#held;
    this.#held = null;
    for (const delivery of held?.deliveries.reverse() ?? []) this.#queue(delivery);
    this.#wakeAll();
  }

  /** Resolves when every delivery that is not held back was tried. */
  async settled(): Promise<void> {
    await this.#turns.settled();
  }

  /** Gives up what is still under way; it can be redelivered after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeAll();
    await this.#turns.settled();
    await Promise.allSettled(this.#writes);
  }

  #strike(fault: WebhookFault, delivery: DeliveryRecord): void {
    switch (fault.kind) {
      case 'duplicate':
        // Side by side: the harder case for the receiver.
        this.#queue(delivery);
        this.#queue(delivery, { lane: `twin ${delivery.guid}` });
        return;
      case 'delay':
        // A late delivery does not hold up the ones after it.
        this.#queue(delivery, { lane: `late ${delivery.guid}`, delayMs: fault.delayMs });
        return;
      case 'reorder':
        this.#held = { fault, deliveries: [] };
        this.#hold(this.#held, delivery);
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

  #hold(held: Held, delivery: DeliveryRecord): void {
    held.deliveries.push(delivery);
    if (held.deliveries.length >= held.fault.hold) this.releaseHeld();
  }

  #queue(
    delivery: DeliveryRecord,
    how: { redelivery?: boolean; lane?: string; delayMs?: number } = {},
  ): void {
    const { redelivery = false, delayMs = 0 } = how;
    this.#turns
      .run(how.lane ?? `repository ${delivery.repositoryId}`, async () => {
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
    const made = { id: this.#parts.nextId(), at: this.#parts.now().toISOString(), ...attempt };
    delivery.attempts.push(made);
    this.#parts.log(`webhook ${delivery.event} ${delivery.guid} ${attempt.statusCode} ${attempt.status}`);
    return this.#keep({ guid: delivery.guid, attempt: made });
  }

  #keep(entry: Parameters<DeliveryJournal['add']>[0]): Promise<void> {
    const kept = this.#parts.journal.add(entry).finally(() => this.#writes.delete(kept));
    this.#writes.add(kept);
    return kept;
  }
}
