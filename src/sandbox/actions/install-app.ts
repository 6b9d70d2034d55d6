import { type ForgeContext, timestamp } from '../forge-context.ts';
import { nodeId, presentAccount } from '../present/account.ts';
import { presentInstallation } from '../present/app.ts';
import { accountById, fullName, installedRepositories } from '../state/find-records.ts';
import type { AccountRecord, ActiveApp, InstallationRecord, RepositoryRecord } from '../state/records.ts';

/**
 * Installs the App on an account, or changes which of its repositories an existing installation has.
 * Tells the App by `installation` or `installation_repositories`. Throws while no App is configured.
 */
export function installApp(
  context: ForgeContext,
  account: AccountRecord,
  repositories: 'all' | readonly RepositoryRecord[],
): InstallationRecord {
  const { app } = context;
  if (!app)
    throw new Error(
      'The sandbox has no App to install: give startForge the option "app", or call configureApp.',
    );
  const wanted = repositories === 'all' ? 'all' : repositories.map((repository) => repository.id);
  const now = timestamp(context.now());
  const known = context.data.installations.find((candidate) => candidate.accountId === account.id);
  const installation = known ?? {
    id: context.nextId(),
    accountId: account.id,
    repositories: wanted,
    createdAt: now,
    updatedAt: now,
  };
  const before = known ? installedRepositories(context.data, known) : [];
  installation.repositories = wanted;
  installation.updatedAt = now;
  if (!known) context.data.installations.push(installation);
  const after = installedRepositories(context.data, installation);
  const send = (event: string, action: string, particular: object): void =>
    emitInstallationEvent(context, app, installation, account, event, action, particular);
  const brief = (list: readonly RepositoryRecord[]): object[] =>
    list.map((repository) => presentBrief(context, repository));
  if (!known) {
    send('installation', 'created', { repositories: brief(after) });
    return installation;
  }
  const added = after.filter((repository) => !before.includes(repository));
  const removed = before.filter((repository) => !after.includes(repository));
  const selection = wanted === 'all' ? 'all' : 'selected';
  for (const [action, list] of [
    ['added', added],
    ['removed', removed],
  ] as const) {
    if (list.length === 0) continue;
    send('installation_repositories', action, {
      repository_selection: selection,
      repositories_added: action === 'added' ? brief(list) : [],
      repositories_removed: action === 'removed' ? brief(list) : [],
    });
  }
  return installation;
}

/** Takes the App off an account, or suspends it there for a while, and tells the App. Throws when it is not installed. */
export function changeInstallation(
  context: ForgeContext,
  account: AccountRecord,
  action: 'deleted' | 'suspend' | 'unsuspend',
): void {
  const { app, data } = context;
  const installation = data.installations.find((candidate) => candidate.accountId === account.id);
  if (!app || !installation) throw new Error(`The sandbox has no App installed on ${account.login}.`);
  if (action === 'deleted') data.installations.splice(data.installations.indexOf(installation), 1);
  else installation.suspendedAt = action === 'suspend' ? timestamp(context.now()) : null;
  const repositories = installedRepositories(data, installation).map((repository) =>
    presentBrief(context, repository),
  );
  emitInstallationEvent(context, app, installation, account, 'installation', action, { repositories });
}

function presentBrief(context: ForgeContext, repository: RepositoryRecord) {
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName(context.data, repository),
    private: repository.private,
  };
}

/** Tells the App of a new repository, where it is installed on all of the account's. */
export function announceRepository(context: ForgeContext, repository: RepositoryRecord): void {
  const installation = context.data.installations.find(
    (candidate) => candidate.accountId === repository.ownerId,
  );
  if (!context.app || installation?.repositories !== 'all') return;
  const account = accountById(context.data, repository.ownerId);
  emitInstallationEvent(context, context.app, installation, account, 'installation_repositories', 'added', {
    repository_selection: 'all',
    repositories_added: [presentBrief(context, repository)],
    repositories_removed: [],
  });
}

/** Takes a repository out of an installation whose account has it no more, and tells the App. */
export function withdrawRepository(
  context: ForgeContext,
  installation: InstallationRecord,
  repository: RepositoryRecord,
): void {
  const { repositories } = installation;
  if (repositories !== 'all') installation.repositories = repositories.filter((id) => id !== repository.id);
  if (!context.app) return;
  const account = accountById(context.data, installation.accountId);
  emitInstallationEvent(context, context.app, installation, account, 'installation_repositories', 'removed', {
    repository_selection: repositories === 'all' ? 'all' : 'selected',
    repositories_added: [],
    repositories_removed: [presentBrief(context, repository)],
  });
}

function emitInstallationEvent(
  context: ForgeContext,
  app: ActiveApp,
  installation: InstallationRecord,
  account: AccountRecord,
  event: string,
  action: string,
  particular: object,
): void {
  context.webhooks.emit({
    event,
    action,
    installationId: installation.id,
    repositoryId: null,
    payload: {
      action,
      installation: presentInstallation(context, app, installation),
      ...particular,
      requester: null,
      sender: presentAccount(context, account),
    },
  });
}
