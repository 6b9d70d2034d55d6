import { mkdir, writeFile } from 'node:fs/promises';
import { readRefs } from './read-refs.ts';
import { gitText, runRepositoryGit } from './run-git.ts';

export const ZERO_OID = '0000000000000000000000000000000000000000';

/**
 * GitHub lets clients request any commit by oid and omit blobs; it advertises `refs/pull/*` for fetching and refuses pushes
 * to them.
 */
const config = `[core]
	repositoryformatversion = 0
	bare = true
[uploadpack]
	allowFilter = true
	allowReachableSHA1InWant = true
	allowAnySHA1InWant = true
[receive]
	hideRefs = refs/pull
	maxInputSize = 1073741824
	autogc = false
[gc]
	auto = 0
`;

/** Creates an empty repository (gitrepository-layout(5)); `defaultBranch` must be a valid branch name. */
export async function createBareRepository(gitDir: string, defaultBranch: string): Promise<void> {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    await mkdir(`${gitDir}/${folder}`, { recursive: true });
  }
  await writeFile(`${gitDir}/config`, config);
  await writeFile(`${gitDir}/HEAD`, `ref: refs/heads/${defaultBranch}\n`);
}

/** Full ref name → oid, for branches and tags (an annotated tag's oid is the tag's). */
export async function listRefs(gitDir: string): Promise<Record<string, string>> {
  return (await readRefs(gitDir, ['refs/heads', 'refs/tags'])) ?? (await listRefsByGit(gitDir));
}

async function listRefsByGit(gitDir: string): Promise<Record<string, string>> {
  const text = await gitText(gitDir, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/tags',
  ]);
  return Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(41), line.slice(0, 40)]),
  );
}

/** Points a ref at an object, or removes it (`null`). Fails when it does not point at `before`, where that is passed. */
export async function updateRef(
  gitDir: string,
  ref: string,
  oid: string | null,
  before?: string,
): Promise<void> {
  const old = before ? [before] : [];
  await runRepositoryGit(gitDir, oid === null ? ['update-ref', '-d', ref] : ['update-ref', ref, oid, ...old]);
}

/** Points several refs at objects at once, or removes them (`null`). */
export async function updateRefs(
  gitDir: string,
  refs: Readonly<Record<string, string | null>>,
): Promise<void> {
  const lines = Object.entries(refs).map(([ref, oid]) =>
    oid === null ? `delete ${ref}\n` : `update ${ref} ${oid}\n`,
  );
  await runRepositoryGit(gitDir, ['update-ref', '--stdin'], { input: lines.join('') });
}

/** Copies a commit with its objects from another repository of this forge, and points `ref` at it. */
export async function fetchInto(gitDir: string, source: string, oid: string, ref: string): Promise<void> {
  await runRepositoryGit(gitDir, [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    source,
    `+${oid}:${ref}`,
  ]);
}

/** Whether a name is valid for a branch: almost anything is, except what looks like an option or leaves the folder. */
export async function isBranchName(gitDir: string, name: string): Promise<boolean> {
  if (/^[0-9A-Za-z]+(?:[-_/][0-9A-Za-z]+)*$/.test(name)) return true;
  const { exitCode } = await runRepositoryGit(gitDir, ['check-ref-format', `refs/heads/${name}`], {
    expect: [0, 1],
  });
  return exitCode === 0 && !name.startsWith('-');
}

/** Copies a commit with its objects from another repository of this forge, without pointing a ref at it. */
export async function fetchObjects(gitDir: string, source: string, oid: string): Promise<void> {
  await runRepositoryGit(gitDir, ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', source, oid]);
}
