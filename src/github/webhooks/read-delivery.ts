import type { NewDelivery } from '../../store/index.ts';
import { eventName, findShapeProblem, handledEvents } from './events.ts';

/** A delivery that cannot be accepted: a sentence for the person who configured the webhook. Answered with 400. */
export class DeliveryShapeError extends Error {
  override readonly name = 'DeliveryShapeError';
  /** JSON pointer of the wrong field; null when it is not about a field. */
  readonly path: string | null;

  constructor(message: string, path: string | null = null) {
    super(message);
    this.path = path;
  }
}

const DELIVERY_ID = /^[\w-]{1,100}$/;
const EVENT_NAME = /^[a-z0-9_]{1,100}$/;

/** In characters; jobs are found by it. Names of refs have up to 255 bytes at GitHub, and 600 characters are accepted. */
const MAX_SUBJECT = 700;

/** A delivery, and what its work is about; null when the App does not handle the event. */
export interface ReadDelivery {
  readonly delivery: NewDelivery;
  readonly work: { readonly repositoryId: number | null; readonly subject: string } | null;
}

/** Parses a verified body and checks the fields that its handler relies on. Throws DeliveryShapeError. */
export function readDelivery(
  headers: { readonly delivery: unknown; readonly event: unknown },
  body: Uint8Array,
): ReadDelivery {
  const id = headers.delivery;
  if (typeof id !== 'string' || !DELIVERY_ID.test(id)) {
    throw new DeliveryShapeError('The header X-GitHub-Delivery must contain the id of the delivery.');
  }
  const event = headers.event;
  if (typeof event !== 'string' || !EVENT_NAME.test(event)) {
    throw new DeliveryShapeError('The header X-GitHub-Event must contain the name of an event.');
  }
  const payload = decodeText(body);
  const value = parseObject(payload);
  const action = textIn(value, 'action', 100);
  const name = eventName(event, action);
  const subscription = handledEvents.get(name);
  if (subscription !== undefined) {
    const problem = findShapeProblem(subscription, value);
    if (problem !== null) {
      throw new DeliveryShapeError(
        `The body is not a valid ${name} event: ${problem.path} ${problem.message}.`,
        problem.path,
      );
    }
  }
  const repositoryId = integerIn(value['repository'], 'id');
  const work =
    subscription === undefined
      ? null
      : {
          repositoryId: subscription.ofInstallation ? null : repositoryId,
          subject: subscription.subject(value),
        };
  if (work !== null && !isStorable(work.subject)) {
    throw new DeliveryShapeError(
      `The body is not a valid ${name} event: the ref or commit that it is about is longer than ${MAX_SUBJECT} characters, or has some that cannot be stored (U+0000, or half of a surrogate pair).`,
    );
  }
  const delivery: NewDelivery = {
    id,
    event,
    action,
    installationId: integerIn(value['installation'], 'id'),
    repositoryId,
    repository: textIn(value['repository'], 'full_name', 300),
    payload,
    state: work === null ? 'ignored' : 'received',
  };
  return { delivery, work };
}

function decodeText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new DeliveryShapeError('The body must be JSON in UTF-8.', '/');
  }
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DeliveryShapeError(
      'The body must be JSON; set the webhook’s content type to application/json.',
      '/',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DeliveryShapeError('The body must be a JSON object.', '/');
  }
  return value as Record<string, unknown>;
}

function isStorable(subject: string): boolean {
  return subject.length <= MAX_SUBJECT && !subject.includes('\0') && subject.isWellFormed();
}

function integerIn(value: unknown, key: string): number | null {
  const field = fieldOf(value, key);
  return typeof field === 'number' && Number.isSafeInteger(field) ? field : null;
}

/** The start of a text, without characters that the database cannot store: U+0000, and halves of surrogate pairs. */
function textIn(value: unknown, key: string, length: number): string | null {
  const field = fieldOf(value, key);
  return typeof field === 'string' ? field.slice(0, length).replaceAll('\0', '').toWellFormed() : null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
