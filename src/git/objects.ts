import { isUtf8 } from 'node:buffer';
import { type GitCommit, GitError, type GitPerson } from './repository.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** One git object, without its header. */
export interface RawObject {
  readonly oid: string;
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** Reads objects that are in the local repository. Both adapters implement it; objects are interpreted in one place, above it. */
export interface ObjectReader {
  /** Yields objects in the order of `oids`; null for an absent one. */
  read(oids: readonly string[]): AsyncIterable<RawObject | null>;
  /** Sizes in bytes, where they can be read cheaply; absent objects are left out. */
  sizes?(oids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** One entry of one tree object (gitformat: mode, space, name, NUL, raw oid). */
export interface RawTreeEntry {
  /** Octal, as git writes it: 40000 is a tree. */
  readonly mode: string;
  readonly name: Buffer;
  readonly oid: string;
}

/** @throws GitError `git-failed` when the bytes are not a tree */
export function parseTree({ oid, type, bytes }: RawObject): readonly RawTreeEntry[] {
  if (type !== 'tree') throw malformed(oid, 'tree');
  const oidBytes = oid.length / 2;
  const entries: RawTreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const nul = space < 0 ? -1 : bytes.indexOf(0, space);
    const end = nul + 1 + oidBytes;
    if (nul < 0 || end > bytes.length) throw malformed(oid, 'tree');
    entries.push({
      mode: bytes.toString('latin1', at, space),
      name: bytes.subarray(space + 1, nul),
      oid: bytes.toString('hex', nul + 1, end),
    });
    at = end;
  }
  return entries;
}

/** @throws GitError `git-failed` when the bytes are not a commit */
export function parseCommit({ oid, type, bytes }: RawObject): GitCommit {
  if (type !== 'commit') throw malformed(oid, 'commit');
  const end = bytes.indexOf('\n\n');
  const head = end < 0 ? bytes : bytes.subarray(0, end);
  const message = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 2);
  const headers = head
    .toString('latin1')
    .split('\n')
    // A line that starts with a space continues the previous line; none of the headers read here has such lines.
    .filter((line) => !line.startsWith(' '))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
  const all = (name: string) => headers.filter(([header]) => header === name).map(([, value]) => value);
  const [tree] = all('tree');
  const [author] = all('author');
  const [committer] = all('committer');
  if (tree === undefined || author === undefined || committer === undefined) throw malformed(oid, 'commit');
  return {
    oid,
    tree,
    parents: all('parent'),
    message: decode(message),
    author: parsePerson(decode(Buffer.from(author, 'latin1'))),
    committer: parsePerson(decode(Buffer.from(committer, 'latin1'))),
  };
}

/** Parses `Name <email> seconds zone`, in linear time; an unreadable time becomes 1970. */
function parsePerson(text: string): GitPerson {
  const start = text.indexOf('<');
  const end = start === -1 ? -1 : text.indexOf('>', start);
  if (end === -1) return { name: '', email: '', at: new Date(0) };
  const [, seconds = '0'] = /^ (\d{1,12})/.exec(text.slice(end + 1, end + 14)) ?? [];
  return {
    name: text.slice(0, text[start - 1] === ' ' ? start - 1 : start),
    email: text.slice(start + 1, end),
    at: new Date(Number(seconds) * 1000),
  };
}

/** Decodes as UTF-8 if valid, otherwise as Latin-1, which most old commits without an encoding header use. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

function malformed(oid: string, type: ObjectType): GitError {
  return new GitError(
    'git-failed',
    `The object ${oid} cannot be read as a ${type}; the repository may be damaged.`,
  );
}

/** Reads an object that must be in the local repository. @throws GitError `commit-not-found` */
export async function readObject(reader: ObjectReader, oid: string): Promise<RawObject> {
  for await (const object of reader.read([oid])) if (object) return object;
  throw new GitError('commit-not-found', `The object ${oid} is not in the cache; fetch its commit first.`);
}

/** Whether a commit is in the local repository with its tree; a fetch includes all subtrees. */
export async function hasCommit(reader: ObjectReader, oid: string): Promise<boolean> {
  for await (const commit of reader.read([oid])) {
    if (!commit) return false;
    for await (const tree of reader.read([parseCommit(commit).tree])) return tree !== null;
  }
  return false;
}

export async function isCommit(reader: ObjectReader, oid: string): Promise<boolean> {
  for await (const object of reader.read([oid])) return object?.type === 'commit';
  return false;
}
