import type {
  AccountRecord,
  CheckRunRecord,
  DiscussionRecord,
  ForgeData,
  InstallationRecord,
  IssueRecord,
  PullRecord,
  RepositoryRecord,
} from './records.ts';

/** Logins and names compare without case, as on GitHub. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function findAccount(data: ForgeData, login: string): AccountRecord | undefined {
  return data.accounts.find((account) => same(account.login, login));
}

/** Every record names an account that exists, so a missing one is a damaged state file. */
export function accountById(data: ForgeData, id: number): AccountRecord {
  const account = data.accounts.find((candidate) => candidate.id === id);
  if (!account) throw new Error(`The sandbox's state names account ${id}, which it does not have.`);
  return account;
}

export function findRepository(data: ForgeData, owner: string, name: string): RepositoryRecord | undefined {
  const account = findAccount(data, owner);
  return (
    account &&
    data.repositories.find((repository) => repository.ownerId === account.id && same(repository.name, name))
  );
}

/** The repository that had this name (`owner/name`) before it was renamed or transferred. */
export function findRenamedRepository(data: ForgeData, formerName: string): RepositoryRecord | undefined {
  return data.repositories.find(({ formerNames = [] }) => formerNames.some((name) => same(name, formerName)));
}

export function repositoryById(data: ForgeData, id: number): RepositoryRecord {
  const repository = data.repositories.find((candidate) => candidate.id === id);
  if (!repository) throw new Error(`The sandbox's state names repository ${id}, which it does not have.`);
  return repository;
}

/** The installation that includes this repository, if there is one. */
export function findInstallation(
  data: ForgeData,
  repository: RepositoryRecord,
): InstallationRecord | undefined {
  return data.installations.find(
    (installation) =>
      installation.accountId === repository.ownerId &&
      (installation.repositories === 'all' || installation.repositories.includes(repository.id)),
  );
}

export function installedRepositories(data: ForgeData, installation: InstallationRecord): RepositoryRecord[] {
  return data.repositories.filter(
    (repository) =>
      repository.ownerId === installation.accountId &&
      (installation.repositories === 'all' || installation.repositories.includes(repository.id)),
  );
}

/** The installation of the App on an account. */
export function findInstallationOf(data: ForgeData, accountId: number): InstallationRecord | undefined {
  return data.installations.find((installation) => installation.accountId === accountId);
}

/** The account that a commit's e-mail address belongs to. */
export function findAccountByEmail(data: ForgeData, email: string): AccountRecord | undefined {
  return data.accounts.find((account) => same(account.email, email));
}

/** A number within a repository: as such, or as an address has it. */
type NumberInRepository = number | string | undefined;

export function findPull(
  data: ForgeData,
  repositoryId: number,
  number: NumberInRepository,
): PullRecord | undefined {
  return findNumbered(data.pulls, repositoryId, number);
}

export function findIssue(
  data: ForgeData,
  repositoryId: number,
  number: NumberInRepository,
): IssueRecord | undefined {
  return findNumbered(data.issues, repositoryId, number);
}

export function findDiscussion(
  data: ForgeData,
  repositoryId: number,
  number: NumberInRepository,
): DiscussionRecord | undefined {
  return findNumbered(data.discussions, repositoryId, number);
}

function findNumbered<Numbered extends { readonly repositoryId: number; readonly number: number }>(
  list: readonly Numbered[] = [],
  repositoryId: number,
  number: NumberInRepository,
): Numbered | undefined {
  return list.find(
    (candidate) => candidate.repositoryId === repositoryId && String(candidate.number) === String(number),
  );
}

/** @param id as such, or as an address has it. */
export function findRunRecord(
  data: ForgeData,
  repositoryId: number,
  id: number | string | undefined,
): CheckRunRecord | undefined {
  return data.checkRuns.find((run) => run.repositoryId === repositoryId && String(run.id) === String(id));
}

export function fullNameOf(data: ForgeData, repository: RepositoryRecord): string {
  return `${accountById(data, repository.ownerId).login}/${repository.name}`;
}
