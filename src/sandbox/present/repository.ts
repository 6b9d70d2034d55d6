import type { ForgeContext } from '../forge-context.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { nodeId, presentAccount } from './account.ts';

/** Sub-resources: key of the payload → end of the address. */
const addresses: Readonly<Record<string, string>> = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

export function repositoryUrls(context: Pick<ForgeContext, 'data' | 'url'>, repository: RepositoryRecord) {
  const owner = accountById(context.data, repository.ownerId);
  const fullName = `${owner.login}/${repository.name}`;
  return {
    owner,
    fullName,
    html: `${context.url}/${fullName}`,
    api: `${context.url}/api/v3/repos/${fullName}`,
    clone: `${context.url}/${fullName}.git`,
  };
}

/** GitHub's `repository`, as in webhooks and lists. */
export function presentRepository(context: Pick<ForgeContext, 'data' | 'url'>, repository: RepositoryRecord) {
  const { owner, fullName, html, api, clone } = repositoryUrls(context, repository);
  const forks = context.data.repositories.filter((candidate) => candidate.forkOf === repository.id).length;
  const openPulls = context.data.pulls.filter(
    (pull) => pull.repositoryId === repository.id && pull.state === 'open',
  ).length;
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName,
    private: repository.private,
    owner: presentAccount(context, owner),
    html_url: html,
    description: null,
    fork: repository.forkOf !== null,
    url: api,
    ...(Object.fromEntries(Object.entries(addresses).map(([key, tail]) => [key, api + tail])) as Record<
      string,
      string
    >),
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt ?? repository.createdAt,
    git_url: clone.replace(/^https?:/, 'git:'),
    ssh_url: `git@${new URL(context.url).hostname}:${fullName}.git`,
    clone_url: clone,
    svn_url: html,
    homepage: null,
    size: 0,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: false,
    has_projects: false,
    has_downloads: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: forks,
    mirror_url: null,
    archived: repository.archived ?? false,
    disabled: false,
    open_issues_count: openPulls,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [] as string[],
    visibility: repository.private ? 'private' : 'public',
    forks,
    open_issues: openPulls,
    watchers: 0,
    default_branch: repository.defaultBranch,
  };
}

/** GitHub's `full-repository`, the response for a single repository. */
export function presentFullRepository(
  context: Pick<ForgeContext, 'data' | 'url'>,
  repository: RepositoryRecord,
) {
  const source = repository.forkOf === null ? null : repositoryById(context.data, repository.forkOf);
  return {
    ...presentRepository(context, repository),
    ...(source && { parent: presentRepository(context, source), source: presentRepository(context, source) }),
    allow_rebase_merge: false,
    allow_squash_merge: false,
    allow_merge_commit: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    subscribers_count: 0,
    network_count: 0,
  };
}
