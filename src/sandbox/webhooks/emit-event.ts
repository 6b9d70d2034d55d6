import type { ForgeContext } from '../forge-context.ts';
import { nodeId, presentAccount } from '../present/account.ts';
import { presentRepository } from '../present/repository.ts';
import { accountById, findInstallation } from '../state/find-records.ts';
import type { AccountRecord, InstallationRecord, RepositoryRecord } from '../state/records.ts';

export interface RepositoryWebhook {
  readonly event: string;
  readonly action?: string;
  readonly repository: RepositoryRecord;
  readonly sender: AccountRecord;
  /** The fields of the event itself. */
  readonly payload: object;
}

/** Every App receives these, whatever it subscribed to. */
const alwaysSent = new Set(['installation', 'installation_repositories']);

export function installationReference(installation: InstallationRecord) {
  return { id: installation.id, node_id: nodeId('IntegrationInstallation', installation.id) };
}

/** Sends an event of a repository to the App, if the App is installed there and subscribed to it. */
export function emitRepositoryEvent(context: ForgeContext, webhook: RepositoryWebhook): void {
  const installation = findInstallation(context.data, webhook.repository);
  if (!installation || !context.app) return;
  if (!alwaysSent.has(webhook.event) && !context.app.events.includes(webhook.event)) return;
  const owner = accountById(context.data, webhook.repository.ownerId);
  context.webhooks.emit({
    event: webhook.event,
    action: webhook.action ?? null,
    installationId: installation.id,
    repositoryId: webhook.repository.id,
    payload: {
      ...(webhook.action && { action: webhook.action }),
      repository: presentRepository(context, webhook.repository),
      ...(owner.type === 'Organization' && { organization: presentOrganization(context, owner) }),
      sender: presentAccount(context, webhook.sender),
      installation: installationReference(installation),
      ...webhook.payload,
    },
  });
}

function presentOrganization(context: ForgeContext, account: AccountRecord) {
  const url = `${context.url}/api/v3/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('Organization', account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${context.url}/avatars/${account.id}`,
    description: null,
  };
}
