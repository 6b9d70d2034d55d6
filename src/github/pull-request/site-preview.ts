import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import type { Preview } from '../../content/report/index.ts';
import { type Database, loadRepository } from '../../store/index.ts';
import { explainError, type PullRequest } from '../api/index.ts';

import { previewSourceOf } from '../repository/index.ts';

export interface SitePreviewDeps {
  readonly db: Database;
  readonly client: PlatformClient;
  readonly organizationId: () => Promise<string>;
}

/** A space as a pull request leaves it. */
export interface PreviewedSpace {
  readonly spaceId: string;
  readonly revisionId: string;
}

/** Shows the whole site of a repository as it would be after a pull request. Null where the repository has no site. */
export async function showSitePreview(
  { db, client, organizationId }: SitePreviewDeps,
  { repository, number, url }: PullRequest,
  spaces: readonly PreviewedSpace[],
): Promise<Preview | null> {
  const site = (await loadRepository(db, repository.id))?.site ?? null;
  if (site?.id == null || spaces.length === 0) return null;
  try {
    const { address } = await client.call(operations.saveSitePreview, {
      params: { organizationId: await organizationId(), siteId: site.id },
      body: {
        source: previewSourceOf(repository.id, number),
        title: `#${number} of ${repository.fullName}`,
        url,
        revisions: spaces.map(({ spaceId: space, revisionId: revision }) => ({ space, revision })),
      },
    });
    return { space: site.title, url: address, problem: null };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.retryable) throw error;
    return { space: site.title, url: null, problem: explainError(error) };
  }
}

/** Deletes the preview of a pull request that was closed. */
export async function removeSitePreview(
  { db, client, organizationId }: SitePreviewDeps,
  { repository, number }: { readonly repository: { readonly id: number }; readonly number: number },
): Promise<void> {
  const siteId = (await loadRepository(db, repository.id))?.site?.id ?? null;
  if (siteId === null) return;
  const previewSource = previewSourceOf(repository.id, number);
  const params = { organizationId: await organizationId(), siteId, previewSource };
  try {
    await client.call(operations.deleteSitePreview, { params });
  } catch (error) {
    // Somebody deleted the site, and its previews with it.
    if (!(error instanceof PlatformError) || error.status !== 404) throw error;
  }
}
