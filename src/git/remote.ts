import { GitError, type GitRemote } from './repository.ts';

/**
 * Parses an address as people and platforms write it: separates the credentials (they travel beside the address)
 * and normalizes the rest to the one spelling that is compared and shown.
 *
 * @throws GitError `invalid-url`, without repeating the address: it may contain a password
 */
export function splitCredentials(address: string): GitRemote {
  const url = URL.parse(address.trim());
  if (!url) {
    throw new GitError(
      'invalid-url',
      /^[^\s/]+@[^\s/]+:/.test(address.trim())
        ? 'The address of the repository is in the form that SSH uses; use its https:// address.'
        : 'The address of the repository is not a web address; write it as https://host/path.',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new GitError(
      'invalid-url',
      `The address of the repository starts with ${url.protocol}//; only https:// addresses can be fetched.`,
    );
  }
  if (url.search || url.hash) {
    throw new GitError(
      'invalid-url',
      `The address of the repository at ${url.host} has a part after ? or #; remove it.`,
    );
  }
  const credentials = readCredentials(url);
  const plain = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return credentials ? { url: plain, credentials } : { url: plain };
}

function readCredentials(url: URL): GitRemote['credentials'] {
  if (!url.username && !url.password) return undefined;
  try {
    return { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch (cause) {
    throw new GitError(
      'invalid-url',
      `The credentials in the address of the repository at ${url.host} are not percent-encoded correctly; write % as %25.`,
      { cause },
    );
  }
}

/** Replaces a remote's credentials wherever they appear in a text: plain, percent-encoded and as Basic auth. */
export function redact(text: string, remote: GitRemote): string {
  if (!remote.credentials) return text;
  const { username, password } = remote.credentials;
  // A token may appear as the user name; a short user name is a name and not a secret.
  const secrets = [basicToken(remote.credentials), password, username.length >= 16 ? username : ''];
  return secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

/** The value of an `Authorization` header (RFC 7617), or undefined without credentials. */
export function authorization(remote: GitRemote): string | undefined {
  return remote.credentials && `Basic ${basicToken(remote.credentials)}`;
}

function basicToken({ username, password }: NonNullable<GitRemote['credentials']>): string {
  return Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
}
