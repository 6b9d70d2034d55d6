import { type ForgeContext, timestamp } from '../forge-context.ts';
import { nodeId, presentAccount } from '../present/account.ts';
import { presentInstallation } from '../present/app.ts';
import { accountById, findInstallationOf, fullNameOf, installedRepositories } from '../state/find-records.ts';
import type { AccountRecord, ActiveApp, InstallationRecord, RepositoryRecord } from '../state/records.ts';

/**
 * Installs the App on an account, or changes the repositories of an existing installation. Sends the event `installation`
 * or `installation_repositories`. Throws while no App is configured.
 */
export function installApp(
  context: ForgeContext,
  account: AccountRecord,
  repositories: 'all' | readonly RepositoryRecord[],
): InstallationRecord {
  const { app } = context;
  if (!app)
    throw new Error(
      'The sandbox has no App to install: pass the option "app" to startForge, or call configureApp.',
    );
  const selected = repositories === 'all' ? 'all' : repositories.map((repository) => repository.id);
  const now = timestamp(context.now());
  const known = findInstallationOf(context.data, account.id);
  const installation = known ?? {
    id: context.nextId(),
    accountId: account.id,
    repositories: selected,
    createdAt: now,
    updatedAt: now,
  };
  const before = known ? installedRepositories(context.data, known) : [];
  installation.repositories = selected;
  installation.updatedAt = now;
  if (!known) context.data.installations.push(installation);
  const after = installedRepositories(context.data, installation);
  const send = (event: string, action: string, fields: object): void =>
    emitInstallationEvent(context, app, installation, account, event, action, fields);
  const brief = (list: readonly RepositoryRecord[]): object[] =>
    list.map((repository) => presentBrief(context, repository));
  if (!known) {
    send('installation', 'created', { repositories: brief(after) });
    return installation;
  }
  const added = after.filter((repository) => !before.includes(repository));
  const removed = before.filter((repository) => !after.includes(repository));
  const selection = selected === 'all' ? 'all' : 'selected';
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

/** Uninstalls, suspends or unsuspends the App on an account, and sends the event. Throws when it is not installed. */
export function changeInstallation(
  context: ForgeContext,
  account: AccountRecord,
  action: 'deleted' | 'suspend' | 'unsuspend',
): void {
  const { app, data } = context;
  const installation = findInstallationOf(data, account.id);
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
    full_name: fullNameOf(context.data, repository),
    private: repository.private,
  };
}

/** Sends the event of a new repository, where the App is installed on all repositories of the account. */
export function announceRepository(context: ForgeContext, repository: RepositoryRecord): void {
  const installation = findInstallationOf(context.data, repository.ownerId);
  if (!context.app || installation?.repositories !== 'all') return;
  const account = accountById(context.data, repository.ownerId);
  emitInstallationEvent(context, context.app, installation, account, 'installation_repositories', 'added', {
    repository_selection: 'all',
    repositories_added: [presentBrief(context, repository)],
    repositories_removed: [],
  });
}

/** Removes a repository from the installation of its former account, and sends the event. */
export function removeFromInstallation(
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
  fields: object,
): void {
  context.webhooks.emit({
    event,
    action,
    installationId: installation.id,
    repositoryId: null,
    payload: {
      action,
      installation: presentInstallation(context, app, installation),
      ...fields,
      requester: null,
      sender: presentAccount(context, account),
    },
  });
}
