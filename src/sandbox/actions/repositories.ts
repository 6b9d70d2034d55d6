import { type ForgeContext, gitDirOf, timestamp } from '../forge-context.ts';
import { createBareRepository, isBranchName, listRefs } from '../git/bare-repository.ts';
import { runRepositoryGit } from '../git/run-git.ts';
import { findRepository } from '../state/find-records.ts';
import type { AccountRecord, RepositoryRecord } from '../state/records.ts';

/** Letters, digits, `.`, `-`, `_`; no name that has a meaning for git or the file system. */
const NAME = /^(?!\.{1,2}$)(?!.*\.git$)[\w.-]{1,100}$/i;

export interface NewRepository {
  readonly owner: AccountRecord;
  readonly name: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly forkOf: number | null;
}

/** Why a repository of this name cannot be created, or null. */
export function repositoryNameProblem(
  context: ForgeContext,
  owner: AccountRecord,
  name: string,
): string | null {
  if (!NAME.test(name))
    return 'name is invalid: use letters, digits, ".", "-" and "_", 100 characters at most';
  if (findRepository(context.data, owner.login, name)) return 'name already exists on this account';
  return null;
}

function createRecord(context: ForgeContext, options: NewRepository): RepositoryRecord {
  const problem = repositoryNameProblem(context, options.owner, options.name);
  if (problem)
    throw new Error(`The repository ${options.owner.login}/${options.name} cannot be created: ${problem}.`);
  const now = timestamp(context.now());
  return {
    id: context.nextId(),
    ownerId: options.owner.id,
    name: options.name,
    private: options.private,
    defaultBranch: options.defaultBranch,
    forkOf: options.forkOf,
    collaboratorIds: [],
    createdAt: now,
    updatedAt: now,
    pushedAt: null,
    refs: {},
    nextPullNumber: 1,
  };
}

/** Creates an empty repository. Its record is added once its folder exists. */
export async function createRepository(
  context: ForgeContext,
  options: NewRepository,
): Promise<RepositoryRecord> {
  const record = createRecord(context, options);
  if (!(await isBranchName(context.dataDir, record.defaultBranch))) {
    throw new Error(`"${record.defaultBranch}" cannot be the name of a branch.`);
  }
  await createBareRepository(gitDirOf(context, record.id), record.defaultBranch);
  context.data.repositories.push(record);
  return record;
}

/** Copies a repository with its branches and tags into another account. A fork is as private as its source. */
export async function forkRepository(
  context: ForgeContext,
  source: RepositoryRecord,
  owner: AccountRecord,
  name = source.name,
): Promise<RepositoryRecord> {
  const record = createRecord(context, {
    owner,
    name,
    private: source.private,
    defaultBranch: source.defaultBranch,
    forkOf: source.id,
  });
  const gitDir = gitDirOf(context, record.id);
  await createBareRepository(gitDir, record.defaultBranch);
  await runRepositoryGit(gitDir, [
    'fetch',
    '--quiet',
    '--no-write-fetch-head',
    gitDirOf(context, source.id),
    '+refs/heads/*:refs/heads/*',
    '+refs/tags/*:refs/tags/*',
  ]);
  record.refs = await listRefs(gitDir);
  record.pushedAt = source.pushedAt;
  context.data.repositories.push(record);
  return record;
}
