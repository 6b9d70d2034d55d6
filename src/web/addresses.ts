import type { Space } from '../client/index.ts';

/** The addresses of the pages for people. */
export const homePath = '/';

export const statusPath = '/status';
export const setupPath = '/setup';
/** Where GitHub leads back to. */
export const SETUP_PATHS = { registered: '/setup/registered', installed: '/setup/installed' } as const;

export function spacePath(spaceId: string): string {
  return `/spaces/${encodeURIComponent(spaceId)}`;
}

export function searchPath(spaceId: string): string {
  return `${spacePath(spaceId)}/search`;
}

/** A revision that is not live, and is read by its id. */
export function previewPath(spaceId: string, revisionId: string): string {
  return `${spacePath(spaceId)}/revisions/${encodeURIComponent(revisionId)}`;
}

/** A page of what is live, or of the revision with this id. */
export function pagePath(spaceId: string, pageId: string, revisionId?: string): string {
  return `${contentPath(spaceId, revisionId)}/pages/${encodeURIComponent(pageId)}`;
}

/** A file of what is live, or of the revision with this id. */
export function filePath(spaceId: string, fileId: string, revisionId?: string): string {
  return `${contentPath(spaceId, revisionId)}/files/${encodeURIComponent(fileId)}`;
}

function contentPath(spaceId: string, revisionId: string | undefined): string {
  return revisionId === undefined ? spacePath(spaceId) : previewPath(spaceId, revisionId);
}

/** Where signing in leads back to. */
export function signInPath(next: string): string {
  return next === homePath ? '/login' : `/login?next=${encodeURIComponent(next)}`;
}

/**
 * A file of a space's repository at a commit or branch, shown by its host as text with one line marked; null when the
 * host is not one whose addresses are known.
 */
export function sourceAddress(
  { gitSync }: Pick<Space, 'gitSync'>,
  revision: string,
  path: string,
  line?: number,
): string | null {
  const { installationProvider, url } = gitSync ?? {};
  if (installationProvider !== 'github' || url === undefined) return null;
  const place = [...revision.split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
  return `${url.replace(/\/+$|\.git$/g, '')}/blob/${place}${line === undefined ? '' : `?plain=1#L${line}`}`;
}
