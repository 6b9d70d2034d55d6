import type { ForgeContext } from '../forge-context.ts';
import type { AccountRecord } from '../state/records.ts';

/** A `node_id` like those of GitHub's GraphQL API: the kind and the number, in base64. */
export function nodeId(kind: string, id: number | string): string {
  const text = `${kind}${id}`;
  return Buffer.from(`0${kind.length}:${text}`).toString('base64');
}

/** GitHub's `simple-user`. */
export function presentAccount(context: Pick<ForgeContext, 'url'>, account: AccountRecord) {
  const api = `${context.url}/api/v3/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: `${context.url}/avatars/${account.id}`,
    gravatar_id: '',
    url: api,
    html_url: `${context.url}/${encodeURIComponent(account.login)}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** GitHub's `public-user`: an account as its own token sees it. */
export function presentAccountUser(context: Pick<ForgeContext, 'url'>, account: AccountRecord) {
  return {
    ...presentAccount(context, account),
    name: account.login,
    company: null,
    blog: '',
    location: null,
    email: account.email,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  };
}
