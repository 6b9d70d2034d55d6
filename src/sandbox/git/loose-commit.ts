import { readLooseObject } from './loose-object.ts';

export interface CommitSignature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with the author's own offset. */
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: CommitSignature;
  readonly committer: CommitSignature;
  readonly message: string;
}

/** A linear history is read this far; a longer one is left to git. */
const MAX_STEPS = 100;

/** Reads a commit in UTF-8 that is not packed without git; null for any other. */
export async function readLooseCommit(gitDir: string, sha: string): Promise<Commit | null> {
  const object = await readLooseObject(gitDir, sha);
  if (object?.type !== 'commit') return null;
  const text = object.content.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end);
  if (end < 0 || /^encoding /m.test(head)) return null;
  const values = (name: string) =>
    head
      .split('\n')
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  const [tree] = values('tree');
  const author = readPerson(values('author'));
  const committer = readPerson(values('committer'));
  if (!tree || !author || !committer) return null;
  return {
    sha,
    tree,
    parents: values('parent'),
    author,
    committer,
    message: text.slice(end + 2).replace(/\n+$/, ''),
  };
}

/** `Name <email> seconds zone`, as git writes it. */
function readPerson([line = '']: readonly string[]): CommitSignature | null {
  const [, name = '', email = '', seconds, zone = ''] =
    /^([^<>]*?) ?<([^<>]*)> (\d{1,11}) ([+-]\d{4})$/.exec(line) ?? [];
  if (seconds === undefined) return null;
  const minutes = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith('-') ? -1 : 1);
  const local = new Date(Number(seconds) * 1000 + minutes * 60_000);
  if (Number.isNaN(local.getTime())) return null;
  return { name, email, date: `${local.toISOString().slice(0, 19)}${zone.slice(0, 3)}:${zone.slice(3)}` };
}

/**
 * The commits of a history without merges from `tip` back to `end`, which is excluded, or to the first commit where `end` is
 * null; newest first. Null when the history has merges, is long, or is packed in part.
 */
export async function readLinearHistory(
  gitDir: string,
  tip: string,
  end: string | null,
): Promise<Commit[] | null> {
  const commits: Commit[] = [];
  for (let sha = tip; sha !== end; ) {
    const commit = commits.length < MAX_STEPS ? await readLooseCommit(gitDir, sha) : null;
    const [parent, ...mergedParents] = commit?.parents ?? [];
    if (!commit || mergedParents.length > 0) return null;
    commits.push(commit);
    if (parent === undefined) return end === null ? commits : null;
    sha = parent;
  }
  return commits;
}
