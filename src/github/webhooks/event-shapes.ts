import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** Only the fields that the App uses; GitHub sends many more. https://docs.github.com/webhooks/webhook-events-and-payloads */
const Account = Type.Object({ login: Type.String({ minLength: 1 }) });

export const EventRepository = Type.Object({
  id: Type.Integer(),
  name: Type.String({ minLength: 1 }),
  full_name: Type.String({ minLength: 3 }),
  owner: Account,
});

const Installation = Type.Object({ id: Type.Integer() });

export const PushEvent = Type.Object({
  /** A full name: `refs/heads/main`, `refs/tags/v1`. GitHub takes names up to 255 bytes; jobs are in line by it. */
  ref: Type.String({ maxLength: 600, pattern: '^[^\\u0000]*$' }),
  /** 40 zeros when the ref was deleted. */
  after: Type.String(),
  deleted: Type.Boolean(),
  repository: Type.Evaluate(
    Type.Intersect([
      EventRepository,
      Type.Object({
        default_branch: Type.String({ minLength: 1 }),
        /** The push's own time in seconds, or ISO 8601 from some senders. */
        pushed_at: Type.Union([Type.Integer(), Type.String(), Type.Null()]),
      }),
    ]),
  ),
  installation: Installation,
});
export type PushEvent = Static<typeof PushEvent>;

export const PullRequestEvent = Type.Object({
  action: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  pull_request: Type.Object({
    number: Type.Integer({ minimum: 1 }),
    head: Type.Object({ sha: Type.String() }),
    base: Type.Object({ ref: Type.String(), sha: Type.String() }),
  }),
  /** Of `edited`: `base` is there when the pull request was pointed at another branch. */
  changes: Type.Optional(Type.Object({ base: Type.Optional(Type.Unknown()) })),
  repository: EventRepository,
  installation: Installation,
});
export type PullRequestEvent = Static<typeof PullRequestEvent>;

/** The events that have a handler, each with the shape that its handler relies on. A new one is a row here. */
export const listenedEvents = {
  push: PushEvent,
  'pull_request.opened': PullRequestEvent,
  'pull_request.synchronize': PullRequestEvent,
  'pull_request.reopened': PullRequestEvent,
  'pull_request.edited': PullRequestEvent,
} as const satisfies Record<string, TSchema>;

export type ListenedEvent = keyof typeof listenedEvents;

const checks = new Map(
  Object.entries(listenedEvents).map(([event, schema]) => [event, Compile(schema)] as const),
);

/** `push`, or `pull_request.opened` for an event with actions. */
export function eventName(event: string, action: string | null): string {
  return action === null ? event : `${event}.${action}`;
}

export function isListened(name: string): name is ListenedEvent {
  return checks.has(name);
}

/** What in its repository a listened event is about: a full ref name, or `pull/7`. Its shape was checked before. */
export function subjectOf(payload: Record<string, unknown>): string {
  return typeof payload['ref'] === 'string' ? payload['ref'] : `pull/${payload['number']}`;
}

/** What is wrong with an event's payload: the JSON pointer of the first wrong field and why; null when it is right. */
export function findShapeProblem(
  name: ListenedEvent,
  payload: unknown,
): { readonly path: string; readonly message: string } | null {
  const check = checks.get(name);
  if (check === undefined || check.Check(payload)) return null;
  const [error] = check.Errors(payload);
  if (error === undefined) return { path: '/', message: 'is not of the shape of this event' };
  const missing = error.keyword === 'required' ? error.params.requiredProperties[0] : undefined;
  if (missing !== undefined) return { path: `${error.instancePath}/${missing}`, message: 'is missing' };
  return { path: error.instancePath || '/', message: error.message };
}
