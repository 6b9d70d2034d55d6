import type { GitSync } from '../../store/index.ts';
import type { StoredImport } from './stored-request.ts';

/** The information about its repository that a space shows after an operation. */
export function gitSyncOf(request: Pick<StoredImport, 'url' | 'gitInfo'>): GitSync {
  const address = request.gitInfo?.url ?? request.url;
  return {
    repoName: repoNameOf(address),
    url: address,
    updatedAt: new Date().toISOString(),
    ...(request.gitInfo ? { installationProvider: request.gitInfo.provider } : {}),
  };
}

/** `owner/name` of an address, as people call a repository. */
function repoNameOf(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  return decodeURIComponent(path.replace(/\.git$/, '').replace(/^\/+|\/+$/g, ''));
}
