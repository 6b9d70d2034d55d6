import { operations, type PlatformClient, type Space } from '../../client/index.ts';
import type { Config } from '../../config/index.ts';
import type { ExportingBinding } from '../../store/index.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
}

/** The edits of a space since its branch last had the same content, described for git. */
export interface Edits {
  /** The first line of the commit message, and the whole message. */
  readonly title: string;
  readonly message: string;
  /** The author, when it was one person with a known email address; otherwise the App is the author. */
  readonly author: Person | null;
  /** The change requests, the oldest first. */
  readonly changes: readonly { readonly subject: string; readonly url: string; readonly by: string | null }[];
  /** The ids of all of them. */
  readonly changeRequestIds: readonly string[];
}

/** More changes than these are only counted. */
const MAX_NAMED = 20;
const MAX_TITLE = 72;

/** Describes an export by the configuration's message template. `committer` signs off when the author is unknown. */
export async function describeEdits(
  client: PlatformClient,
  {
    binding,
    space,
    settings,
    committer,
    since,
  }: {
    readonly binding: ExportingBinding;
    readonly space: Space;
    readonly settings: Config['exports'];
    readonly committer: Person;
    /** Change requests that were merged before this are exported already; null for none. */
    readonly since: Date | null;
  },
): Promise<Edits> {
  const { items } = await client.call(operations.listChangeRequests, {
    params: { spaceId: space.id },
    query: { status: 'merged', limit: 100 },
  });
  const merged = items
    .filter(({ mergedAt }) => mergedAt !== undefined && (since === null || new Date(mergedAt) > since))
    .toSorted((a, b) => ((a.mergedAt ?? '') < (b.mergedAt ?? '') ? -1 : 1));
  const people = new Map(
    merged.flatMap(({ createdBy }) => (createdBy ? [[createdBy.id, createdBy] as const] : [])),
  );
  const signers = [...people.values()].flatMap(({ displayName, email }) =>
    email === undefined ? [] : [{ name: oneLine(displayName), email: oneLine(email) }],
  );
  const author = people.size === 1 ? (signers[0] ?? null) : null;
  const subjects = merged.map(({ subject, number }) => oneLine(subject) || `change request ${number}`);
  const values: Readonly<Record<string, string>> = {
    space: oneLine(binding.title),
    directory: binding.directory || '.',
    change: shorten(subjects),
    author: [...people.values()].map(({ displayName }) => oneLine(displayName)).join(', ') || committer.name,
  };
  const filled = settings.message.replace(
    /\{(space|directory|change|author)\}/g,
    (_all, key: string, at: number, template: string) => {
      const value = values[key] ?? '';
      const isFirst = at === 0 || template[at - 1] === '\n';
      return isFirst && LIKE_TRAILER.test(value) ? `“${value}”` : value;
    },
  );
  const [title = '', ...rest] = filled.split('\n');
  const trailers = [
    ...signers.filter(({ email }) => email !== author?.email).map(trailer('Co-authored-by')),
    ...(settings['sign-off'] ? [author ?? committer].map(trailer('Signed-off-by')) : []),
  ];
  const body = [
    rest.join('\n').trim(),
    subjects.length > 1
      ? subjects
          .slice(0, MAX_NAMED)
          .map((subject) => `* ${subject}`)
          .join('\n')
      : '',
    trailers.join('\n'),
  ];
  return {
    title: cut(title),
    message: [cut(title), ...body].filter((part) => part !== '').join('\n\n'),
    author,
    changeRequestIds: merged.map(({ id }) => id),
    changes: merged.slice(0, MAX_NAMED).map(({ urls, createdBy }, index) => ({
      subject: subjects[index] ?? '',
      url: urls.app,
      by: createdBy === undefined ? null : oneLine(createdBy.displayName),
    })),
  };
}

/** Git and GitHub read such a line in the last paragraph of a message as who signed it, or wrote it with others. */
const LIKE_TRAILER = /^[\w-]+\s*:/;

/** A text that somebody gave a change or themselves: with a line break, it would continue as another part of the message. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function shorten(subjects: readonly string[]): string {
  const [first, ...more] = subjects;
  if (first === undefined) return 'edits of the space';
  return more.length === 0 ? first : `${first}, and ${more.length} more`;
}

const trailer =
  (key: string) =>
  ({ name, email }: Person) =>
    `${key}: ${name.replaceAll(/[<>]/g, '')} <${email.replaceAll(/[<>]/g, '')}>`;

/** A subject is one line that `git log --oneline` shows whole. */
function cut(title: string): string {
  const line = title.trim() || 'docs: edits of the space';
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}
