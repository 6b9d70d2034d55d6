import { isDeepStrictEqual } from 'node:util';
import {
  type DeclaredSite,
  operations,
  type PlatformClient,
  PlatformError,
  type SiteDeclaration,
} from '../../client/index.ts';
import type { Config, SiteConfig } from '../../config/index.ts';
import type { JobContext } from '../../queue/index.ts';
import { type Binding, listBindings, loadRepository, recordRepositorySite } from '../../store/index.ts';
import {
  type CommitStatus,
  explainError,
  hasStatus,
  type Octokit,
  postCommitStatus,
  type Repository,
} from '../api/index.ts';

import { CONFIG_PATH, siteSourceOf } from '../repository/index.ts';
import type { PushDeps } from './deps.ts';

interface SiteSync {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** The commit that gets the status. */
  readonly tip: string;
  /** Whether an earlier run may have posted the status. */
  readonly isLater: boolean;
  readonly run: JobContext;
}

/** What a site is made from. */
export interface SiteInput {
  readonly config: Config;
  /** Those of the branch, in the order in which the site shows them where the configuration declares none. */
  readonly spaces: readonly { readonly directory: string }[];
}

/**
 * Makes the site of a repository as its configuration says, and posts on the commit where it is, or why it is not so. The
 * site of a configuration that does not name one any more stays as it is: nobody's pages disappear by an edit of that file
 * which does not say so.
 *
 * @throws when it must be retried
 */
export async function syncSite(
  deps: PushDeps,
  sync: SiteSync,
  { config, spaces: found }: SiteInput,
): Promise<void> {
  const { site, spaces } = config;
  const { repository } = sync;
  const known = (await loadRepository(deps.db, repository.id))?.site ?? null;
  if (site === undefined) {
    if (known === null) return;
    const description = `The site stays as it is, since ${CONFIG_PATH} does not name it any more. To close it, say audience: members first.`;
    await post(sync, known.title, { state: 'success', description });
    return await recordRepositorySite(deps.db, repository.id, null);
  }
  const { title } = site;
  const bound = (await listBindings(deps.db, repository.id)).filter(
    ({ spaceId, disconnected }) => spaceId !== null && disconnected === null,
  );
  const ordered =
    spaces.length === 0 ? asFound(bound, found) : asDeclared(bound, spaces, repository.defaultBranch);
  const sections = sectionsOf(site, ordered);
  if (sections.length === 0) return;
  try {
    const body = { ...declarationOf(site), source: siteSourceOf(repository.id), sections };
    const { site: made, address } = await declare(deps, body);
    const { id, published: isPublished } = made;
    const now = { id, title: made.title, address, isPublished, error: null };
    await post(sync, title, {
      state: 'success',
      description: isPublished ? `Live at ${address}` : `For members only, at ${address}`,
      targetUrl: address,
    });
    if (!isDeepStrictEqual(now, known)) await recordRepositorySite(deps.db, repository.id, now);
  } catch (error) {
    const isPermanent = error instanceof PlatformError && !error.retryable;
    if (sync.run.signal.aborted || !isPermanent) throw error;
    const reason = `${CONFIG_PATH}: ${explainError(error)}`;
    const nothing = { id: null, address: null, isPublished: false };
    await recordRepositorySite(deps.db, repository.id, { ...nothing, ...known, title, error: reason });
    await post(sync, title, { state: 'failure', description: reason });
    deps.log.warn({ err: error, repository: repository.fullName }, 'A site could not be made');
  }
}

/** Publishing a site takes an administrator, whom the App's everyday calls are not. */
async function declare(
  { client, asAdministrator, organizationId }: PushDeps,
  body: SiteDeclaration,
): Promise<DeclaredSite> {
  const input = { params: { organizationId: await organizationId() }, body };
  const call = (caller: PlatformClient) => caller.call(operations.declareSite, input);
  try {
    return await call(client);
  } catch (error) {
    if (asAdministrator === undefined || !(error instanceof PlatformError) || error.status !== 403)
      throw error;
    return await asAdministrator('publish the site of a repository', call);
  }
}

function asFound(bound: readonly Binding[], found: SiteInput['spaces']): readonly Binding[] {
  return found.flatMap(({ directory }) => bound.filter((binding) => binding.directory === directory));
}

function asDeclared(
  bound: readonly Binding[],
  declared: Config['spaces'],
  defaultBranch: string,
): readonly Binding[] {
  return declared.flatMap(
    ({ directory, branch = defaultBranch }) =>
      bound.find((binding) => binding.directory === directory && binding.branch === branch) ?? [],
  );
}

/** A folder is a section, and its branches are the variants of it. */
function sectionsOf({ sections }: SiteConfig, bindings: readonly Binding[]): SiteDeclaration['sections'] {
  const variants = Map.groupBy(bindings, ({ directory }) => directory);
  const wanted = sections ?? [...variants.keys()].map((directory) => ({ directory }));
  return wanted.flatMap(({ directory, ...named }) => {
    const spaces = (variants.get(directory) ?? []).flatMap(({ spaceId }) => spaceId ?? []);
    const { title, path } = named as { readonly title?: string; readonly path?: string };
    const texts = { ...(title !== undefined && { title }), ...(path !== undefined && { path }) };
    return spaces.length === 0 ? [] : [{ ...texts, spaces }];
  });
}

function declarationOf({ title, basename, audience, look = {} }: SiteConfig) {
  return {
    title,
    ...(basename !== undefined && { basename }),
    ...(audience !== undefined && { audience }),
    customization: customizationOf(look),
  };
}

function customizationOf(
  look: NonNullable<SiteConfig['look']>,
): NonNullable<SiteDeclaration['customization']> {
  const { color, logo, icon, theme, corners, links, copyright, 'try-it': tryIt } = look;
  const styling = {
    ...(color !== undefined && { primaryColor: { light: color, dark: color } }),
    ...(corners !== undefined && { corners }),
  };
  const header = {
    ...(logo !== undefined && { logo: { light: logo, dark: logo } }),
    ...(links !== undefined && {
      links: links.map(({ title, url }) => ({ title, to: { kind: 'url', url }, links: [] })),
    }),
  };
  return {
    ...(Object.keys(styling).length > 0 && { styling }),
    ...(Object.keys(header).length > 0 && { header }),
    ...(icon !== undefined && { favicon: { icon: { light: icon, dark: icon } } }),
    ...(theme !== undefined && { themes: { default: theme } }),
    ...(copyright !== undefined && { footer: { copyright } }),
    ...(tryIt !== undefined && { tryIt: { enabled: tryIt } }),
  };
}

/** The name of its commit status. */
export function siteContext(title: string): string {
  return `docloom/site: ${title}`;
}

async function post(
  { octokit, repository, tip, isLater }: SiteSync,
  title: string,
  status: Omit<CommitStatus, 'context'>,
): Promise<void> {
  const named = { ...status, context: siteContext(title) };
  if (isLater && (await hasStatus(octokit, repository, tip, named))) return;
  await postCommitStatus(octokit, repository, tip, named);
}
