import { readFileSync } from 'node:fs';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { WEBHOOK_PATH } from '../webhooks/index.ts';

export type PermissionLevel = 'read' | 'write';

/**
 * `full` may write to repositories (onboarding and exports as pull requests, the fix button); `read-only` writes
 * checks and commit statuses, and never code.
 */
export const TIERS = ['full', 'read-only'] as const;
export type Tier = (typeof TIERS)[number];

export interface PermissionNeed {
  readonly name: string;
  readonly level: PermissionLevel;
  /** Why it is needed, in a sentence. */
  readonly reason: string;
}

export interface EventNeed {
  readonly name: string;
  readonly reason: string;
}

/** The permissions and events that the App needs. */
export interface AppNeeds {
  readonly permissions: readonly PermissionNeed[];
  readonly events: readonly EventNeed[];
}

/** Permissions that let the App change code, with the reason why the read-only tier needs them for reading. */
const WRITES_CODE: Readonly<Record<string, string | undefined>> = {
  contents: 'Reads the docs and .github/docloom.yml, with git and through the API.',
  pull_requests: "Reads a pull request's head and base.",
};

let known: AppNeeds | undefined;

/** The permissions and events in `app.yml`, each with the reason in its comment. */
export function appNeeds(tier: Tier): AppNeeds {
  known ??= readNeeds(readFileSync(new URL('../../../app.yml', import.meta.url), 'utf8'));
  if (tier === 'full') return known;
  return {
    ...known,
    permissions: known.permissions.map((permission) => {
      const reason = WRITES_CODE[permission.name];
      return reason === undefined ? permission : { ...permission, level: 'read', reason };
    }),
  };
}

function readNeeds(text: string): AppNeeds {
  const document = parseDocument(text);
  const permissions = document.get('default_permissions');
  const events = document.get('default_events');
  if (!isMap(permissions) || !isSeq(events))
    throw new Error('app.yml must contain the map default_permissions and the list default_events.');
  return {
    permissions: permissions.items.map(({ key, value }, index) => ({
      name: String(key),
      level: String(value) === 'write' ? 'write' : 'read',
      // The parser attaches the first entry's comment to the map.
      reason: sentence(
        (index === 0 ? permissions.commentBefore : null) ?? (isScalar(key) ? key.commentBefore : null),
      ),
    })),
    events: events.items.map((item, index) => ({
      name: String(item),
      reason: sentence(
        (index === 0 ? events.commentBefore : null) ?? (isScalar(item) ? item.commentBefore : null),
      ),
    })),
  };
}

function sentence(comment: string | null | undefined): string {
  return (comment ?? '').replace(/\s+/g, ' ').trim();
}

/** The input for registering an App. https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
export interface AppManifest {
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly public: boolean;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  /** GitHub redirects here with a code once the App is registered. */
  readonly redirect_url: string;
  /** GitHub redirects here with a code once somebody signs in. */
  readonly callback_urls: readonly string[];
  /** GitHub redirects here once the App is installed. */
  readonly setup_url: string;
  readonly setup_on_update: boolean;
  readonly default_permissions: Readonly<Record<string, PermissionLevel>>;
  readonly default_events: readonly string[];
}

/** The maximum length of an App's name on GitHub, in characters. */
export const MAX_APP_NAME = 34;

/** The manifest of an App whose server people and GitHub reach at `publicUrl`. */
export function buildManifest(options: {
  readonly name: string;
  readonly publicUrl: string;
  readonly tier: Tier;
  readonly paths: { readonly registered: string; readonly signedIn: string; readonly installed: string };
}): AppManifest {
  const { name, publicUrl, tier, paths } = options;
  const { permissions, events } = appNeeds(tier);
  return {
    name,
    url: publicUrl,
    description: 'Publishes docs on every push, and reports on every pull request which links it breaks.',
    public: false,
    hook_attributes: { url: `${publicUrl}${WEBHOOK_PATH}`, active: true },
    redirect_url: `${publicUrl}${paths.registered}`,
    callback_urls: [`${publicUrl}${paths.signedIn}`],
    setup_url: `${publicUrl}${paths.installed}`,
    setup_on_update: true,
    default_permissions: Object.fromEntries(permissions.map(({ name, level }) => [name, level])),
    default_events: events.map(({ name }) => name),
  };
}
