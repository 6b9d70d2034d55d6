import { type Static, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { writeSubject } from './subject.ts';

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
  /** A full name: `refs/heads/main`, `refs/tags/v1`. GitHub accepts names up to 255 bytes; jobs are ordered by it. */
  ref: Type.String({ maxLength: 600, pattern: '^[^\\u0000]*$' }),
  /** 40 zeros when the ref was deleted. */
  after: Type.String(),
  deleted: Type.Boolean(),
  /** The new commits with the paths that each changed; some senders leave it out. */
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
  /** In `edited` events: `base` is present when the base branch changed. */
  changes: Type.Optional(Type.Object({ base: Type.Optional(Type.Unknown()) })),
  repository: EventRepository,
  installation: Installation,
});
export type PullRequestEvent = Static<typeof PullRequestEvent>;

export const InstallationEvent = Type.Object({ action: Type.String(), installation: Installation });
export type InstallationEvent = Static<typeof InstallationEvent>;

export const RepositoryChangeEvent = Type.Object({
  action: Type.String(),
  repository: EventRepository,
  installation: Installation,
});
export type RepositoryChangeEvent = Static<typeof RepositoryChangeEvent>;

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

/** A press of one of our buttons. */
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

/** Labels of an issue or a discussion; some senders leave them out. */
const Labels = Type.Optional(Type.Array(Type.Object({ name: Type.String() })));

/** Of a comment on a line or a file of a pull request. */
export const ReviewCommentEvent = Type.Object({
  action: Type.String(),
  pull_request: Type.Object({ number: Type.Integer({ minimum: 1 }) }),
  repository: EventRepository,
  installation: Installation,
});
export type ReviewCommentEvent = Static<typeof ReviewCommentEvent>;

/** Of an issue, or of a comment on one. */
export const IssueEvent = Type.Object({
  action: Type.String(),
  issue: Type.Object({
    number: Type.Integer({ minimum: 1 }),
    labels: Labels,
    /** Present for pull requests: their comments are events of issues, too. */
    pull_request: Type.Optional(Type.Unknown()),
  }),
  repository: EventRepository,
  installation: Installation,
});
export type IssueEvent = Static<typeof IssueEvent>;

/** Of a discussion, or of a comment on one. */
export const DiscussionEvent = Type.Object({
  action: Type.String(),
  discussion: Type.Object({
    number: Type.Integer({ minimum: 1 }),
    labels: Labels,
    category: Type.Optional(Type.Object({ name: Type.String() })),
  }),
  repository: EventRepository,
  installation: Installation,
});
export type DiscussionEvent = Static<typeof DiscussionEvent>;

/** The number of the last pull request of a merge queue's group; null when its branch has another kind of name. */
export function pullOfGroup(headRef: string): number | null {
  const digits = /\/pr-(\d{1,9})-[^/]*$/.exec(headRef)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A group of events with one handler: the shape that the handler relies on, and the subject of the work. */
export interface Subscription<Shape extends TSchema = TSchema> {
  /** `push`, or `pull_request.opened` for an event with actions. */
  readonly events: readonly string[];
  readonly shape: Shape;
  /**
   * The subject of an event's work, by which it is ordered: a full ref name, or the text of another `JobSubject`.
   */
  readonly subject: (event: Static<Shape>) => string;
  /** Whether it is about an installation as a whole, not about a repository. */
  readonly ofInstallation: boolean;
}

function subscribe<Shape extends TSchema>(
  events: readonly string[],
  shape: Shape,
  subject: (event: Static<Shape>) => string,
  ofInstallation = false,
): Subscription<Shape> {
  return { events, shape, subject, ofInstallation };
}

/**
 * All events that the App handles. `Handlers` has a handler for each name, the webhook route checks the shapes,
 * and a test proves that `app.yml` subscribes to exactly these. A new event is a row here.
 */
export const subscriptions = {
  push: subscribe(['push'], PushEvent, ({ ref }) => ref),
  pullRequest: subscribe(
    [
      'pull_request.opened',
      'pull_request.synchronize',
      'pull_request.reopened',
      'pull_request.edited',
      'pull_request.ready_for_review',
    ],
    PullRequestEvent,
    pullSubject,
  ),
  closedPullRequest: subscribe(['pull_request.closed'], PullRequestEvent, pullSubject),
  reviewComment: subscribe(
    [
      'pull_request_review_comment.created',
      'pull_request_review_comment.edited',
      'pull_request_review_comment.deleted',
    ],
    ReviewCommentEvent,
    // As comments on its conversation are: not ordered with its checks, which take long.
    ({ pull_request: { number } }) => writeSubject({ kind: 'issue', id: String(number) }),
  ),
  installation: subscribe(
    [
      'installation.created',
      'installation.deleted',
      'installation.suspend',
      'installation.unsuspend',
      'installation.new_permissions_accepted',
      'installation_repositories.added',
      'installation_repositories.removed',
    ],
    InstallationEvent,
    ({ installation }) => writeSubject({ kind: 'installation', id: String(installation.id) }),
    true,
  ),
  repository: subscribe(
    [
      'repository.renamed',
      'repository.transferred',
      'repository.archived',
      'repository.unarchived',
      'repository.deleted',
      'repository.privatized',
      'repository.publicized',
      'repository.edited',
    ],
    RepositoryChangeEvent,
    () => writeSubject({ kind: 'repository' }),
  ),
  checkRun: subscribe(['check_run.rerequested'], CheckRunEvent, ({ check_run }) =>
    writeSubject({ kind: 'checks', oid: check_run.head_sha }),
  ),
  checkSuite: subscribe(
    ['check_suite.requested', 'check_suite.rerequested'],
    CheckSuiteEvent,
    ({ check_suite }) => writeSubject({ kind: 'checks', oid: check_suite.head_sha }),
  ),
  requestedAction: subscribe(['check_run.requested_action'], RequestedActionEvent, ({ check_run }) =>
    writeSubject({ kind: 'checks', oid: check_run.head_sha }),
  ),
  issue: subscribe(
    [
      'issues.opened',
      'issues.edited',
      'issues.labeled',
      'issues.unlabeled',
      'issues.deleted',
      'issues.transferred',
      'issue_comment.created',
      'issue_comment.edited',
      'issue_comment.deleted',
    ],
    IssueEvent,
    ({ issue }) => writeSubject({ kind: 'issue', id: String(issue.number) }),
  ),
  discussion: subscribe(
    [
      'discussion.created',
      'discussion.edited',
      'discussion.labeled',
      'discussion.unlabeled',
      'discussion.category_changed',
      'discussion.deleted',
      'discussion.transferred',
      'discussion_comment.created',
      'discussion_comment.edited',
      'discussion_comment.deleted',
    ],
    DiscussionEvent,
    ({ discussion }) => writeSubject({ kind: 'discussion', id: String(discussion.number) }),
  ),
  mergeGroup: subscribe(
    ['merge_group.checks_requested'],
    MergeGroupEvent,
    // Ordered with the pull request's own checks, which complete what was left open.
    ({ merge_group: { head_ref, head_sha } }) =>
      writeSubject({ kind: 'pull-request', id: String(pullOfGroup(head_ref) ?? head_sha) }),
  ),
};

type Subscriptions = typeof subscriptions;
export type SubscriptionName = keyof Subscriptions;

/** A handler for each subscription. */
export type Handlers<Run> = {
  readonly [Name in SubscriptionName]: (
    event: Static<Subscriptions[Name]['shape']>,
    run: Run,
  ) => Promise<void>;
};

function pullSubject({ number }: PullRequestEvent): string {
  return writeSubject({ kind: 'pull-request', id: String(number) });
}

interface HandledEvent extends Subscription {
  readonly check: Validator;
}

/** Each event by its full name. */
export const handledEvents: ReadonlyMap<string, HandledEvent> = new Map(
  Object.values(subscriptions as unknown as Record<string, Subscription>).flatMap((subscription) => {
    const row = { ...subscription, check: Compile(subscription.shape) };
    return subscription.events.map((event) => [event, row] as const);
  }),
);

/** `push`, or `pull_request.opened` for an event with actions. */
export function eventName(event: string, action: string | null): string {
  return action === null ? event : `${event}.${action}`;
}

/** What is wrong with an event's payload: the JSON pointer of the first wrong field and why; null when it is valid. */
export function findShapeProblem(
  { check }: Pick<HandledEvent, 'check'>,
  payload: unknown,
): { readonly path: string; readonly message: string } | null {
  if (check.Check(payload)) return null;
  const [error] = check.Errors(payload);
  if (error === undefined) return { path: '/', message: 'does not have the shape of this event' };
  const missing = error.keyword === 'required' ? error.params.requiredProperties[0] : undefined;
  if (missing !== undefined) return { path: `${error.instancePath}/${missing}`, message: 'is missing' };
  return { path: error.instancePath || '/', message: error.message };
}
