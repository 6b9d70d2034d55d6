/** The addresses of the pages for people, and of what they link to on the repository's host. */
import type { Space } from '../client/index.ts';

export const homePath = '/';
/** Marks what somebody was told as read. */
export const readNotificationsPath = '/read-notifications';

/** Where hosts of sites send members who want to read there. */
export const SITE_SIGN_IN_PATH = '/site-sign-in';

/** Signing in by each method, and what leads back in. */
export const SIGN_IN_PATHS = {
  token: '/login',
  password: '/login/password',
  /** Requests a link by mail, and takes it. */
  requestLink: '/login/link',
  link: '/login/mail',
  recovery: '/login/recovery',
  /** Finds the single sign-on of an e-mail address. */
  sso: '/login/sso',
  /** Requests a link for a new password, and takes it. */
  forgot: '/login/forgot',
  newPassword: '/login/new-password',
  verifyEmail: '/login/verify-email',
  changeEmail: '/login/change-email',
} as const;
export const accountPath = '/account';

/** Signing in with GitHub, and linking its account to one's own. */
export const GITHUB_PATHS = {
  signIn: '/login/github',
  callback: '/login/github/callback',
  link: '/account/github',
  unlink: '/account/github/unlink',
} as const;
/** Where somebody who is signed in links their account at an organization's provider: sees whom it named, and agrees. */
export function providerLinkPath(providerId: string): string {
  return `${accountPath}/sso/${encodeURIComponent(providerId)}`;
}

/** The pages of one's own account, and what their forms do. */
export const ACCOUNT_PATHS = {
  account: accountPath,
  sessions: '/account/sessions',
  endSession: '/account/sessions/end',
  endOtherSessions: '/account/sessions/end-others',
  tokens: '/account/tokens',
  revokeToken: '/account/tokens/revoke',
} as const;

/** The invitation that this browser opened last; `/invite/<secret>` opens one. */
export const invitePath = '/invite';

export const statusPath = '/status';

/** Server-sent events that tell when the status may have changed. */
export const statusEventsPath = '/status/events';
export const setupPath = '/setup';
/** Where GitHub redirects to after the registration and after an installation. */
export const SETUP_PATHS = { registered: '/setup/registered', installed: '/setup/installed' } as const;

export function spacePath(spaceId: string): string {
  return `/spaces/${encodeURIComponent(spaceId)}`;
}

/** All organizations that somebody may see. */
export const organizationsPath = '/orgs';

/** The editor of a file of a space. @param path in the repository @param changeRequest its number; the editor chooses without it */
export function editPath(spaceId: string, path: string, changeRequest?: number | string): string {
  return `${spacePath(spaceId)}/edit?${editParameters({ path, changeRequest })}`;
}

/** The editor at a line of a file. */
export function editLinePath(spaceId: string, path: string, line: number | undefined): string {
  return `${editPath(spaceId, path)}${line === undefined ? '' : `#L${line}`}`;
}

/** The tree of a space's files in the editor, where they are created, moved and deleted. */
export function editTreePath(spaceId: string, changeRequest?: number | string): string {
  const parameters = editParameters({ changeRequest });
  return `${spacePath(spaceId)}/edit/tree${parameters === '' ? '' : `?${parameters}`}`;
}

function editParameters({
  path,
  changeRequest,
}: {
  readonly path?: string;
  readonly changeRequest: number | string | undefined;
}): string {
  return new URLSearchParams({
    ...(path === undefined ? {} : { path }),
    ...(changeRequest === undefined ? {} : { cr: String(changeRequest) }),
  }).toString();
}

/** A page of an organization; its overview when `part` is empty. @param part such as `members` or `teams/<id>` */
export function organizationPath(organizationId: string, part = ''): string {
  return `/orgs/${encodeURIComponent(organizationId)}${part === '' ? '' : `/${part}`}`;
}

/** A page of a site; its overview when `part` is empty. */
export function sitePath(organizationId: string, siteId: string, part = ''): string {
  const below = part === '' ? '' : `/${part}`;
  return organizationPath(organizationId, `sites/${encodeURIComponent(siteId)}${below}`);
}

/** A page of an API specification; its versions when `part` is empty. */
export function specPath(organizationId: string, slug: string, part = ''): string {
  const below = part === '' ? '' : `/${part}`;
  return organizationPath(organizationId, `specs/${encodeURIComponent(slug)}${below}`);
}

/** A page of a translation; its pages when `part` is empty. */
export function translationPath(organizationId: string, translationId: string, part = ''): string {
  const below = part === '' ? '' : `/${part}`;
  return organizationPath(organizationId, `translations/${encodeURIComponent(translationId)}${below}`);
}

/** The texts of a page of a translation. @param query `edit` is the key of the text to correct */
export function translationPagePath(
  organizationId: string,
  translationId: string,
  query: {
    readonly path: string;
    readonly state: string | null;
    readonly from?: number;
    readonly edit?: string;
    readonly done?: string;
  },
): string {
  const { path, state, from = 0, edit, done } = query;
  const parameters = new URLSearchParams({
    path,
    ...(state === null ? {} : { state }),
    ...(from === 0 ? {} : { from: String(from) }),
    ...(edit === undefined ? {} : { edit }),
    ...(done === undefined ? {} : { done }),
  });
  return translationPath(organizationId, translationId, `page?${parameters}`);
}

/** A cluster of what people ask, or a part of it; all clusters without an id. */
export function clusterPath(organizationId: string, clusterId?: string, part = ''): string {
  const below = clusterId === undefined ? '' : `/${encodeURIComponent(clusterId)}`;
  return organizationPath(organizationId, `conversations${below}${part === '' ? '' : `/${part}`}`);
}

/** A conversation; all of them without an id. No cluster has this id. */
export function conversationPath(organizationId: string, conversationId?: string): string {
  const below = conversationId === undefined ? '' : `/${encodeURIComponent(conversationId)}`;
  return organizationPath(organizationId, `conversations/all${below}`);
}

/** How an organization's members sign in. */
export function ssoPath(organizationId: string): string {
  return organizationPath(organizationId, 'sso');
}

/** The page of a provider at which an organization's members sign in. */
export function providerPath(kind: 'saml' | 'oidc', organizationId: string, providerId: string): string {
  return `${ssoPath(organizationId)}/${kind}/${encodeURIComponent(providerId)}`;
}

/** The tokens with which an organization's identity provider keeps its users and teams up to date, or one of them. */
export function scimTokensPath(organizationId: string, tokenId?: string): string {
  const path = `${ssoPath(organizationId)}/scim`;
  return tokenId === undefined ? path : `${path}/${encodeURIComponent(tokenId)}`;
}

/** A page of a space; its overview when `part` is empty. @param part such as `links` */
export function spacePartPath(spaceId: string, part = ''): string {
  return `${spacePath(spaceId)}${part === '' ? '' : `/${part}`}`;
}

/** A page of a collection; its spaces when `part` is empty. */
export function collectionPath(collectionId: string, part = ''): string {
  return `/collections/${encodeURIComponent(collectionId)}${part === '' ? '' : `/${part}`}`;
}

/** Where a space or a collection is moved. */
export function movePath(kind: 'space' | 'collection', id: string): string {
  return `/${kind}s/${encodeURIComponent(id)}/move`;
}

/** Who has access to a space or a collection. */
export function accessPath(kind: 'space' | 'collection', id: string): string {
  return `/${kind}s/${encodeURIComponent(id)}/access`;
}

/** The search of everything, or of one organization. @param spaceId the space from whose pages somebody looks */
export function searchEverythingPath({
  organizationId,
  spaceId,
  query,
}: {
  readonly organizationId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly query?: string;
}): string {
  const parameters = new URLSearchParams({
    ...(query === undefined ? {} : { q: query }),
    ...(organizationId === undefined ? {} : { organization: organizationId }),
    ...(spaceId === undefined ? {} : { space: spaceId }),
  }).toString();
  return `/search${parameters === '' ? '' : `?${parameters}`}`;
}

/** The search of a space. */
export function searchPath(spaceId: string): string {
  return `${spacePath(spaceId)}/search`;
}

/** The preview of a revision that is not live. */
export function previewPath(spaceId: string, revisionId: string): string {
  return `${spacePath(spaceId)}/revisions/${encodeURIComponent(revisionId)}`;
}

/** The change requests of a space. */
export function changeRequestsPath(spaceId: string): string {
  return `${spacePath(spaceId)}/change-requests`;
}

/** A change request by its number, or a part of it, such as its conflicts. */
export function changeRequestPath(spaceId: string, number: number, part = ''): string {
  return `${changeRequestsPath(spaceId)}/${number}${part === '' ? '' : `/${part}`}`;
}

/** A page of the live content, or of the revision with this id. */
export function pagePath(spaceId: string, pageId: string, revisionId?: string): string {
  return `${contentPath(spaceId, revisionId)}/pages/${encodeURIComponent(pageId)}`;
}

/** A file of the live content, or of the revision with this id. */
export function filePath(spaceId: string, fileId: string, revisionId?: string): string {
  return `${contentPath(spaceId, revisionId)}/files/${encodeURIComponent(fileId)}`;
}

function contentPath(spaceId: string, revisionId: string | undefined): string {
  return revisionId === undefined ? spacePath(spaceId) : previewPath(spaceId, revisionId);
}

/** The sign-in page. @param next the path to open afterwards. */
export function signInPath(next: string): string {
  return next === homePath ? '/login' : `/login?next=${encodeURIComponent(next)}`;
}

/**
 * A file of a space's repository at a commit or branch, shown by its host as text with one line highlighted; null for a
 * host whose addresses are unknown.
 */
export function sourceAddress(
  { gitSync }: Pick<Space, 'gitSync'>,
  revision: string,
  path: string,
  line?: number,
): string | null {
  const repository = repositoryAddress(gitSync);
  if (repository === null) return null;
  const file = [...revision.split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
  return `${repository}/blob/${file}${line === undefined ? '' : `?plain=1#L${line}`}`;
}

/** A pull request of a space's repository on its host; null for a host whose addresses are unknown. */
export function pullAddress({ gitSync }: Pick<Space, 'gitSync'>, number: string): string | null {
  const repository = repositoryAddress(gitSync);
  return repository === null ? null : `${repository}/pull/${number}`;
}

function repositoryAddress(gitSync: Space['gitSync']): string | null {
  const { installationProvider, url } = gitSync ?? {};
  return installationProvider !== 'github' || url === undefined ? null : url.replace(/\/+$|\.git$/g, '');
}

/**
 * A line of a file below `blobUrl`, the address of a commit's files on GitHub. Every segment is percent-encoded, so that
 * no file name can escape from the path. GitHub shows the lines of Markdown only in its plain view.
 */
export function blobAddress(
  blobUrl: string,
  { file, line }: { readonly file: string; readonly line: number },
): string {
  return `${blobUrl}${file.split('/').map(encodeURIComponent).join('/')}?plain=1#L${line}`;
}
