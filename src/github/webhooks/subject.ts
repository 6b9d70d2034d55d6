/** What a webhook delivery or a recheck is about. Jobs about one subject of a repository run one at a time. */
export type JobSubject =
  | { readonly kind: 'branch' | 'tag'; readonly name: string }
  | {
      readonly kind: 'pull-request';
      /** Its number; the commit of a merge queue's group whose branch names no pull request. */
      readonly id: string;
    }
  | { readonly kind: 'checks'; readonly oid: string }
  | { readonly kind: 'installation'; readonly id: string }
  /** By its number. */
  | { readonly kind: 'issue' | 'discussion'; readonly id: string }
  /** The repository itself, all of its pull requests, or the pull request that proposes a configuration. */
  | { readonly kind: 'repository' | 'pull-requests' | 'onboarding' }
  /** Of a job that another release enqueued. */
  | { readonly kind: 'unknown'; readonly text: string };

/** A subject as payloads and the keys of jobs contain it; a branch's or tag's is its full ref name. */
export function writeSubject(subject: JobSubject): string {
  switch (subject.kind) {
    case 'branch':
      return `refs/heads/${subject.name}`;
    case 'tag':
      return `refs/tags/${subject.name}`;
    case 'pull-request':
      return `pull/${subject.id}`;
    case 'checks':
      return `checks/${subject.oid}`;
    case 'installation':
      return `installation/${subject.id}`;
    case 'issue':
    case 'discussion':
      return `${subject.kind}/${subject.id}`;
    case 'pull-requests':
      return 'pulls';
    case 'repository':
    case 'onboarding':
      return subject.kind;
    case 'unknown':
      return subject.text;
  }
}

export function readSubject(text: string): JobSubject {
  if (text === 'pulls') return { kind: 'pull-requests' };
  if (text === 'repository' || text === 'onboarding') return { kind: text };
  const [, kind, rest = ''] =
    /^(refs\/heads|refs\/tags|pull|checks|installation|issue|discussion)\/(.+)$/.exec(text) ?? [];
  switch (kind) {
    case 'refs/heads':
      return { kind: 'branch', name: rest };
    case 'refs/tags':
      return { kind: 'tag', name: rest };
    case 'pull':
      return { kind: 'pull-request', id: rest };
    case 'checks':
      return { kind: 'checks', oid: rest };
    case 'installation':
      return { kind: 'installation', id: rest };
    case 'issue':
    case 'discussion':
      return { kind, id: rest };
    default:
      return { kind: 'unknown', text };
  }
}
