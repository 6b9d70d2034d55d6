import { ForgeApiError } from '../api/api-error.ts';
import {
  actingAccount,
  canSee,
  type ForgeCaller,
  identifyCaller,
  mayUse,
  readCredential,
} from '../api/caller.ts';
import type { ForgeContext } from '../forge-context.ts';
import { findRepository, fullNameOf, repositoryById } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import type { ServedService } from './serve-git.ts';

export interface GitAccess {
  readonly repository: RepositoryRecord;
  readonly caller: ForgeCaller;
}

const challenge = { 'www-authenticate': 'Basic realm="GitHub"' };

/**
 * Authorizes a fetch or a push: everyone may fetch public repositories, everything else needs a token as the password.
 * Throws a 401 with a challenge for a missing or invalid token, a 404 for a repository that the caller may not see, and a
 * 403 without the permission.
 */
export async function authorizeGit(
  context: ForgeContext,
  owner: string,
  name: string,
  service: ServedService,
  authorization: string | undefined,
): Promise<GitAccess> {
  const caller = await identify(context, authorization);
  const repository = findRepository(context.data, owner, name);
  const level = service === 'git-receive-pack' ? 'write' : 'read';
  if (repository && mayUse(context, caller, repository, 'contents', level)) return { repository, caller };
  if (repository && isOpenToMaintainers(context, caller, repository)) return { repository, caller };
  // Without a token the response is the same whether the repository exists or not.
  if (caller.kind === 'anonymous')
    throw new ForgeApiError(401, 'Authentication failed.', { headers: challenge });
  if (!repository || !canSee(context, caller, repository))
    throw new ForgeApiError(404, 'Repository not found.');
  const login = actingAccount(caller)?.login;
  throw new ForgeApiError(
    403,
    `Permission to ${fullNameOf(context.data, repository)}.git denied to ${login}.`,
  );
}

/** Whether a pull request lets people with write access to its base push to the fork. GitHub allows it for that branch only. */
function isOpenToMaintainers(context: ForgeContext, caller: ForgeCaller, fork: RepositoryRecord): boolean {
  return context.data.pulls.some(
    (pull) =>
      pull.headRepositoryId === fork.id &&
      pull.state === 'open' &&
      pull.maintainerCanModify === true &&
      mayUse(context, caller, repositoryById(context.data, pull.repositoryId), 'contents', 'write'),
  );
}

async function identify(context: ForgeContext, authorization: string | undefined): Promise<ForgeCaller> {
  let caller: ForgeCaller;
  try {
    caller = await identifyCaller(context, readCredential(authorization));
  } catch {
    throw new ForgeApiError(
      401,
      'Invalid username or token. Password authentication is not supported for Git operations.',
      {
        headers: challenge,
      },
    );
  }
  // An App's JWT is not valid as a password for git.
  return caller.kind === 'app' ? { kind: 'anonymous', key: 'anonymous' } : caller;
}
