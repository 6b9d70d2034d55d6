import { Type } from 'typebox';
import { deleteToken, issueToken } from '../actions/accounts.ts';
import { timestamp } from '../forge-context.ts';
import { presentApp, presentInstallation } from '../present/app.ts';
import { presentRepository } from '../present/repository.ts';
import { findInstallation, findRepository, installedRepositories } from '../state/find-records.ts';
import type { GrantedLevel, InstallationRecord, RepositoryRecord } from '../state/records.ts';
import { badCredentials, ForgeApiError, notFoundError } from './api-error.ts';
import { covers, readCredential } from './caller.ts';
import { paginate } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { type Call, created, numberParam, ok, type PlainRoute, requireAppCaller } from './route.ts';

/** https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app */
const TOKEN_LIFE_MS = 60 * 60 * 1000;

const Level = Type.Union([Type.Literal('read'), Type.Literal('write')]);
const TokenRequest = Type.Object({
  repositories: Type.Optional(Type.Array(Type.String(), { maxItems: 500 })),
  repository_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 500 })),
  permissions: Type.Optional(Type.Record(Type.String(), Level)),
});

function installationOf(call: Call): InstallationRecord {
  const id = numberParam(call, 'installation');
  const found = call.context.data.installations.find((installation) => installation.id === id);
  if (!found) throw notFoundError();
  return found;
}

/** The requested part of the granted permissions. Throws a 422 for a permission that the App does not have. */
function narrowPermissions(
  granted: Readonly<Record<string, GrantedLevel>>,
  requested: Readonly<Record<string, GrantedLevel>> | undefined,
): Record<string, GrantedLevel> {
  if (!requested) return { ...granted };
  for (const [name, level] of Object.entries(requested)) {
    const grantedLevel = Object.hasOwn(granted, name) ? granted[name] : undefined;
    if (grantedLevel === undefined || (level === 'write' && grantedLevel !== 'write')) {
      throw new ForgeApiError(422, 'The permissions requested are not granted to this installation.');
    }
  }
  return { metadata: 'read', ...requested };
}

/** The repositories to which a token is narrowed; null for all. Throws a 422 for a repository outside of the installation. */
function narrowRepositories(
  call: Call,
  installation: InstallationRecord,
  names: readonly string[] | undefined,
  ids: readonly number[] | undefined,
): readonly RepositoryRecord[] | null {
  if (!names && !ids) return null;
  const all = installedRepositories(call.context.data, installation);
  const find = (matches: (repository: RepositoryRecord) => boolean): RepositoryRecord => {
    const found = all.find(matches);
    if (found) return found;
    throw new ForgeApiError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  };
  return [
    ...(names ?? []).map((name) =>
      find((repository) => repository.name.toLowerCase() === name.toLowerCase()),
    ),
    ...(ids ?? []).map((id) => find((repository) => repository.id === id)),
  ];
}

async function createToken(call: Call) {
  const { context } = call;
  const app = requireAppCaller(call);
  const installation = installationOf(call);
  if (installation.suspendedAt) throw new ForgeApiError(403, 'This installation has been suspended');
  const input = parseBody(TokenRequest, call.body);
  const permissions = narrowPermissions(app.permissions, input.permissions);
  const selected = narrowRepositories(call, installation, input.repositories, input.repository_ids);
  const expiresAt = timestamp(new Date(context.now().getTime() + TOKEN_LIFE_MS));
  const token = issueToken(context, 'ghs_', {
    accountId: null,
    installationId: installation.id,
    repositoryIds: selected?.map((repository) => repository.id) ?? null,
    permissions,
    expiresAt,
  });
  await context.save();
  return created({
    token,
    expires_at: expiresAt,
    permissions,
    repository_selection: selected || installation.repositories !== 'all' ? 'selected' : 'all',
    ...(selected && { repositories: selected.map((repository) => presentRepository(context, repository)) }),
  });
}

export const appRoutes: readonly PlainRoute[] = [
  {
    method: 'GET',
    path: '/app',
    callers: ['app'],
    run: (call) => ok(presentApp(call.context, requireAppCaller(call))),
  },
  {
    method: 'GET',
    path: '/app/installations',
    callers: ['app'],
    run: (call) =>
      paginate(call, call.context.data.installations, (candidate) =>
        presentInstallation(call.context, requireAppCaller(call), candidate),
      ),
  },
  {
    method: 'GET',
    path: '/app/installations/:installation',
    callers: ['app'],
    run: (call) => ok(presentInstallation(call.context, requireAppCaller(call), installationOf(call))),
  },
  {
    method: 'POST',
    path: '/app/installations/:installation/access_tokens',
    callers: ['app'],
    run: createToken,
  },
  {
    method: 'DELETE',
    path: '/installation/token',
    callers: ['installation'],
    run: async ({ context, headers }) => {
      deleteToken(context, readCredential(String(headers['authorization'] ?? '')) ?? '');
      await context.save();
      return { status: 204 };
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/installation',
    callers: ['app'],
    run: (call) => {
      const { data } = call.context;
      const repository = findRepository(data, call.params['owner'] ?? '', call.params['repo'] ?? '');
      const installation = repository && findInstallation(data, repository);
      if (!installation) throw notFoundError();
      return ok(presentInstallation(call.context, requireAppCaller(call), installation));
    },
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    callers: ['installation'],
    run: (call) => {
      const { caller, context } = call;
      if (caller.kind !== 'installation') throw badCredentials();
      const covered = installedRepositories(context.data, caller.installation).filter((candidate) =>
        covers(context, caller, candidate),
      );
      return paginate(
        call,
        covered,
        (candidate) => presentRepository(context, candidate),
        (repositories, total_count) => ({
          total_count,
          repository_selection: caller.installation.repositories === 'all' ? 'all' : 'selected',
          repositories,
        }),
      );
    },
  },
];
