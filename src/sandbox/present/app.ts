import type { ForgeContext } from '../forge-context.ts';
import { accountById, findAccount } from '../state/find-records.ts';
import type { ActiveApp, InstallationRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';

/** GitHub's `integration`: the App itself. */
export function presentApp(context: ForgeContext, app: ActiveApp) {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: `Iv1.${app.id}`,
    owner: presentAccount(context, findAccount(context.data, app.owner) ?? app.bot),
    name: app.name,
    description: null,
    external_url: context.url,
    html_url: `${context.url}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
    installations_count: context.data.installations.length,
  };
}

/** GitHub's `installation`. */
export function presentInstallation(context: ForgeContext, app: ActiveApp, installation: InstallationRecord) {
  const account = accountById(context.data, installation.accountId);
  const api = `${context.url}/api/v3`;
  return {
    id: installation.id,
    node_id: nodeId('IntegrationInstallation', installation.id),
    account: presentAccount(context, account),
    repository_selection: installation.repositories === 'all' ? 'all' : 'selected',
    access_tokens_url: `${api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${api}/installation/repositories`,
    html_url: `${context.url}/settings/installations/${installation.id}`,
    app_id: app.id,
    client_id: `Iv1.${app.id}`,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: app.permissions,
    events: app.events,
    created_at: installation.createdAt,
    updated_at: installation.updatedAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt ? presentAccount(context, account) : null,
    suspended_at: installation.suspendedAt ?? null,
  };
}
