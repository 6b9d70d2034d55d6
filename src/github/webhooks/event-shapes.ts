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
  /** The new commits and the paths that each of them changed; not of every sender. */
  commits: Type.Optional(
    Type.Array(
      Type.Object({
        added: Type.Optional(Type.Array(Type.String())),
        removed: Type.Optional(Type.Array(Type.String())),
        modified: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  ),
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

export const InstallationEvent = Type.Object({ action: Type.String(), installation: Installation });
export type InstallationEvent = Static<typeof InstallationEvent>;

export const RepositoryEvent = Type.Object({
  action: Type.String(),
  repository: EventRepository,
  installation: Installation,
});
export type RepositoryEvent = Static<typeof RepositoryEvent>;

/** Of the same repository only: a fork's pull requests are not listed. */
const PullRequests = Type.Array(Type.Object({ number: Type.Integer({ minimum: 1 }) }));

export const CheckRunEvent = Type.Object({
  action: Type.String(),
  check_run: Type.Object({
    id: Type.Integer(),
    head_sha: Type.String(),
    pull_requests: PullRequests,
  }),
  repository: EventRepository,
  installation: Installation,
});
export type CheckRunEvent = Static<typeof CheckRunEvent>;

/** Somebody pressed a button of ours. */
export const RequestedActionEvent = Type.Evaluate(
  Type.Intersect([
    CheckRunEvent,
    Type.Object({
      requested_action: Type.Object({ identifier: Type.String() }),
      sender: Type.Object({ login: Type.String({ minLength: 1, maxLength: 100 }), id: Type.Integer() }),
    }),
  ]),
);
export type RequestedActionEvent = Static<typeof RequestedActionEvent>;

export const CheckSuiteEvent = Type.Object({
  action: Type.String(),
  check_suite: Type.Object({ head_sha: Type.String(), pull_requests: PullRequests }),
  repository: EventRepository,
  installation: Installation,
});
export type CheckSuiteEvent = Static<typeof CheckSuiteEvent>;

export const MergeGroupEvent = Type.Object({
  action: Type.String(),
  merge_group: Type.Object({
    head_sha: Type.String(),
    /** `refs/heads/gh-readonly-queue/main/pr-7-…`. */
    head_ref: Type.String({ maxLength: 600, pattern: '^[^\\u0000]*$' }),
    base_sha: Type.String(),
    /** `refs/heads/main`. */
    base_ref: Type.String(),
  }),
  repository: EventRepository,
  installation: Installation,
});
export type MergeGroupEvent = Static<typeof MergeGroupEvent>;

/** The number of the last pull request of a merge queue's group; null when its branch is called otherwise. */
export function pullOfGroup(headRef: string): number | null {
  const digits = /\/pr-(\d{1,9})-[^/]*$/.exec(headRef)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The events that have a handler, each with the shape that its handler relies on. A new one is a row here. */
export const listenedEvents = {
  push: PushEvent,
  'pull_request.opened': PullRequestEvent,
  'pull_request.synchronize': PullRequestEvent,
  'pull_request.reopened': PullRequestEvent,
  'pull_request.edited': PullRequestEvent,
  'pull_request.ready_for_review': PullRequestEvent,
  'pull_request.closed': PullRequestEvent,
  'installation.created': InstallationEvent,
  'installation.deleted': InstallationEvent,
  'installation.suspend': InstallationEvent,
  'installation.unsuspend': InstallationEvent,
  'installation.new_permissions_accepted': InstallationEvent,
  'installation_repositories.added': InstallationEvent,
  'installation_repositories.removed': InstallationEvent,
  'repository.renamed': RepositoryEvent,
  'repository.transferred': RepositoryEvent,
  'repository.archived': RepositoryEvent,
  'repository.unarchived': RepositoryEvent,
  'repository.deleted': RepositoryEvent,
  'repository.privatized': RepositoryEvent,
  'repository.publicized': RepositoryEvent,
  'repository.edited': RepositoryEvent,
  'check_run.rerequested': CheckRunEvent,
  'check_run.requested_action': RequestedActionEvent,
  'check_suite.requested': CheckSuiteEvent,
  'check_suite.rerequested': CheckSuiteEvent,
  'merge_group.checks_requested': MergeGroupEvent,
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

/**
 * What a listened event is about, by which its work is in line: a full ref name, `pull/7`, `repository`, a commit's
 * checks, or an installation. Its shape was checked before.
 */
export function subjectOf(name: ListenedEvent, payload: unknown): string {
  const [event] = name.split('.');
  switch (event) {
    case 'push':
      return (payload as PushEvent).ref;
    case 'pull_request':
      return `pull/${(payload as PullRequestEvent).number}`;
    case 'check_run':
      return `checks/${(payload as CheckRunEvent).check_run.head_sha}`;
    case 'check_suite':
      return `checks/${(payload as CheckSuiteEvent).check_suite.head_sha}`;
    case 'merge_group': {
      const { head_ref, head_sha } = (payload as MergeGroupEvent).merge_group;
      // In line with the pull request's own checks, which complete what was left open.
      return `pull/${pullOfGroup(head_ref) ?? head_sha}`;
    }
    case 'repository':
      return 'repository';
    default:
      return `installation/${(payload as InstallationEvent).installation.id}`;
  }
}

/** Whether an event is about an installation as a whole, not about a repository. */
export function isOfInstallation(name: ListenedEvent): boolean {
  return name.startsWith('installation');
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
