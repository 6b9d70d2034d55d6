import type { AppAccess, Octokit } from '../api/index.ts';

import { type AppNeeds, appNeeds, type EventNeed, type PermissionNeed, type Tier } from './app-manifest.ts';

/** An account that the App is installed on. */
export interface ConnectedInstallation {
  readonly id: number;
  /** Login of the user or organization. */
  readonly account: string;
  /** Its settings on GitHub. */
  readonly url: string;
  readonly repositories: 'all' | 'selected';
  readonly suspended: boolean;
  readonly missing: Missing;
}

/** The permissions and events that the App needs and does not have. */
export interface Missing {
  readonly permissions: readonly PermissionNeed[];
  readonly events: readonly EventNeed[];
}

/** The App as GitHub knows it now. */
export interface Connection {
  readonly appId: number;
  readonly name: string;
  readonly slug: string;
  /** The App's page for people. */
  readonly url: string;
  readonly owner: string;
  readonly tier: Tier;
  readonly missing: Missing;
  readonly installations: readonly ConnectedInstallation[];
  /** How many installations there are; `installations` contains the first thousand. */
  readonly installationCount: number;
}

const PER_PAGE = 100;
const MAX_PAGES = 10;

/** Reads from GitHub who the App is, what it may do and where it is installed. */
export async function readConnection(access: AppAccess, signal: AbortSignal): Promise<Connection> {
  const octokit = await access.app({ signal });
  const { data: app } = await octokit.rest.apps.getAuthenticated();
  if (!app) throw new Error('GitHub has no App with these credentials.');
  const installations = await listInstallations(octokit);
  const tier: Tier = app.permissions.contents === 'write' ? 'full' : 'read-only';
  const needs = appNeeds(tier);
  const owner = app.owner as { readonly login?: string; readonly slug?: string } | null;
  return {
    appId: app.id,
    name: app.name,
    slug: app.slug ?? '',
    url: app.html_url,
    owner: owner?.login ?? owner?.slug ?? '',
    tier,
    missing: findMissing(needs, { permissions: app.permissions, events: app.events }),
    installations: installations.map((installation) => ({
      id: installation.id,
      account: accountOf(installation.account),
      url: installation.html_url,
      repositories: installation.repository_selection,
      suspended: installation.suspended_at !== null,
      missing: findMissing(needs, installation),
    })),
    installationCount: app.installations_count ?? installations.length,
  };
}

async function listInstallations(octokit: Octokit) {
  const all = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await octokit.rest.apps.listInstallations({ per_page: PER_PAGE, page });
    all.push(...data);
    if (data.length < PER_PAGE) break;
  }
  return all;
}

function accountOf(account: object | null): string {
  const { login, slug } = (account ?? {}) as { readonly login?: string; readonly slug?: string };
  return login ?? slug ?? '';
}

/** Permissions about the person who signs in: no installation has them. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['emails']);

/**
 * What an App that was registered by an earlier release may lack: only a configuration that wants conversations, or mirrored
 * comments, needs it. Events come late without, and the status of a repository says which permission it lacks.
 */
const OPTIONAL = {
  permissions: new Set(['discussions']),
  events: new Set([
    'issues',
    'issue_comment',
    'discussion',
    'discussion_comment',
    'pull_request_review_comment',
  ]),
} as const satisfies Record<string, ReadonlySet<string>>;

/** GitHub's levels, the lowest first. */
const LEVELS = ['read', 'write', 'admin'];

/** The needs that are not granted. */
export function findMissing(
  needs: AppNeeds,
  granted: { readonly permissions: object; readonly events: readonly string[] },
): Missing {
  const levels = granted.permissions as Readonly<Record<string, string | undefined>>;
  const rank = (level: string | undefined) => (level === undefined ? -1 : LEVELS.indexOf(level));
  return {
    permissions: needs.permissions.filter(
      ({ name, level }) =>
        !OF_ACCOUNTS.has(name) && !OPTIONAL.permissions.has(name) && rank(levels[name]) < rank(level),
    ),
    events: needs.events.filter(({ name }) => !OPTIONAL.events.has(name) && !granted.events.includes(name)),
  };
}
