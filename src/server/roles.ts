/** What one process does: answers people, works, or both. */
export const ROLES = ['all', 'web', 'worker'] as const;
export type ProcessRole = (typeof ROLES)[number];

/** The kinds of jobs, by family. A test compares them with those of a running server. */
export const JOB_KINDS = [
  'comments.follow',
  'conversations.cluster',
  'conversations.process',
  'git.operation',
  'github.delivery',
  'github.late-runs',
  'github.late-status',
  'github.preview',
  'identity.link',
  'identity.mail',
  'openapi.read',
  'sync.api-check',
  'sync.comments',
  'sync.conversations',
  'sync.export',
  'sync.external-link',
  'sync.external-links',
  'sync.external-links-issue',
  'sync.openapi',
  'sync.translate',
  'translation.batch',
  'translation.run',
] as const;

export const JOB_FAMILIES: readonly string[] = [...new Set(JOB_KINDS.map((kind) => familyOf(kind)))];

/** Whether a kind of job, or all of a family, has this name. */
export function isQueueName(name: string): boolean {
  return JOB_FAMILIES.includes(name) || JOB_KINDS.some((kind) => kind === name);
}

/** @param queues kinds and families; empty for all */
export function worksOn({
  role,
  queues,
}: {
  readonly role: ProcessRole;
  readonly queues: readonly string[];
}) {
  return (kind: string): boolean =>
    role !== 'web' && (queues.length === 0 || queues.includes(kind) || queues.includes(familyOf(kind)));
}

function familyOf(kind: string): string {
  return kind.split('.', 1)[0] ?? kind;
}
