import { GitError, type GitRemote } from './repository.ts';

/** Returns the error for an HTTP status, or for a body of the wrong type. */
export function responseError(remote: GitRemote, status: number): GitError {
  if (status === 401 || status === 403) return authError(remote);
  if (status === 404 || status === 410) {
    return new GitError(
      'not-a-repository',
      `There is no repository at ${remote.url}${remote.credentials ? ' that these credentials may see' : ''}; check the address, and whether it was deleted or moved.`,
    );
  }
  if (status === 408 || status === 429 || status >= 500) {
    return new GitError(
      'host-unreachable',
      `${new URL(remote.url).host} answered with status ${status}; if that does not change, check the server.`,
    );
  }
  return new GitError(
    'not-a-repository',
    `${remote.url} is not a git repository: it answers, but not in git's protocol (status ${status}); use the address that git clone uses.`,
  );
}

function authError(remote: GitRemote): GitError {
  return new GitError(
    'auth-required',
    remote.credentials
      ? `${remote.url} refused the credentials; check that they are valid and may read this repository.`
      : `${remote.url} needs credentials (or does not exist, which some hosts answer in the same way); provide some that may read it.`,
  );
}

export function redirectError(remote: GitRemote, where: string): GitError {
  return new GitError(
    'not-a-repository',
    `${remote.url} redirects ${where}; use the address where the repository is now.`,
  );
}

const causes: readonly (readonly [RegExp, string])[] = [
  [/^ENOTFOUND$|^EAI_/, 'its name was not found'],
  [/^ECONNREFUSED$/, 'it refuses connections'],
  [/TIMEOUT|^ETIMEDOUT$/, 'it does not answer'],
  [/^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$/, 'the connection broke'],
  [/^EHOSTUNREACH$|^ENETUNREACH$/, 'there is no route to it'],
];

/** Returns the error for a request without a response, from the code of the network error. */
export function connectionError(remote: GitRemote, error: unknown): GitError {
  const { host } = new URL(remote.url);
  const code = String((error as { code?: unknown }).code ?? '');
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return new GitError(
      'host-unreachable',
      `The TLS certificate of ${host} is not accepted (${code}); fix it there, or add its authority to this machine.`,
      { cause: error, retryable: false },
    );
  }
  if (/^ERR_(TLS|SSL)|^EPROTO$/.test(code)) {
    return new GitError(
      'host-unreachable',
      `${host} does not speak TLS as expected (${code}); check the port, and whether the address should start with https://.`,
      { cause: error, retryable: false },
    );
  }
  const [, refusal] = /Proxy (?:response|Authentication Required) \((\d+)\)/.exec(messagesOf(error)) ?? [];
  if (refusal !== undefined) {
    const advice =
      refusal === '407' ? 'check the user name and password in its address' : 'ask who runs the proxy';
    return new GitError(
      'host-unreachable',
      `${host} could not be reached: the proxy answered ${refusal}; ${advice}.`,
      { cause: error, retryable: refusal !== '407' },
    );
  }
  const why = causes.find(([pattern]) => pattern.test(code))?.[1] ?? (code || 'the connection broke');
  return new GitError(
    'host-unreachable',
    `${host} could not be reached: ${why}; check the address, and that the server is up.`,
    { cause: error },
  );
}

/** The time limit of the call has passed. */
export function timeoutError(remote: GitRemote, timeoutMs: number): GitError {
  return new GitError(
    'timeout',
    `${remote.url} did not answer within ${Math.round(timeoutMs / 1000)} seconds; if that does not change, check the address and the server.`,
  );
}

export function refNotFound(remote: GitRemote, ref: string): GitError {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? [];
  const what = kind === 'heads' ? `branch ${name}` : kind === 'tags' ? `tag ${name}` : `ref ${ref}`;
  return new GitError(
    'ref-not-found',
    `The repository ${remote.url} has no ${what}; check its name, and that something was pushed there.`,
  );
}

export function commitNotFound(remote: GitRemote, oid: string): GitError {
  return new GitError(
    'commit-not-found',
    `The repository ${remote.url} does not send the object ${oid}; a force push may have removed it.`,
  );
}

function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : '';
}
