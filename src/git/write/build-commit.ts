import { hashOf } from '../object-oid.ts';
import { type ObjectReader, parseCommit, type RawObject, readObject } from '../objects.ts';
import { type CommitDraft, GitError, type GitPerson, type NewCommit } from '../repository.ts';
import { editTree } from './edit-tree.ts';
import { toObject } from './git-object.ts';

/** Builds a commit in memory; see `GitRepository.buildCommit`. */
export async function buildCommit(reader: ObjectReader, draft: CommitDraft): Promise<NewCommit> {
  const { parent, changes } = draft;
  const hash = hashOf(parent ?? changes.find((change) => change.file)?.file?.oid ?? '');
  const base = parent === null ? null : parseCommit(await readObject(reader, parent)).tree;
  const tree = await editTree(reader, base, changes, hash);
  const blobs = changes.flatMap(({ path, file }): RawObject[] => {
    if (!file?.bytes) return [];
    const blob = toObject('blob', Buffer.from(file.bytes), hash);
    if (blob.oid === file.oid) return [blob];
    throw new GitError(
      'git-failed',
      `The bytes of ${path} are not those of ${file.oid}, so they were not committed.`,
    );
  });
  const commit = toObject('commit', writeCommit(draft, tree.oid), hash);
  const objects = new Map([...blobs, ...tree.objects, commit].map((object) => [object.oid, object]));
  return { oid: commit.oid, tree: tree.oid, baseTree: base, parent, objects: [...objects.values()] };
}

/** gitformat: headers, an empty line, the message with a final line break, as `git commit` writes it. */
function writeCommit({ parent, message, author, committer }: CommitDraft, tree: string): Buffer {
  const lines = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${writePerson(author)}`,
    `committer ${writePerson(committer)}`,
    '',
    `${message.replaceAll('\0', '').trimEnd()}\n`,
  ];
  return Buffer.from(lines.join('\n'));
}

/** Removes from names and addresses the characters by which git separates them. */
function writePerson({ name, email, at }: GitPerson): string {
  const clean = (text: string) => text.replaceAll(/[\p{Cc}<>]/gu, ' ').trim();
  return `${clean(name) || 'unknown'} <${clean(email)}> ${Math.floor(at.getTime() / 1000)} +0000`;
}
