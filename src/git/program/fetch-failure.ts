import { redact } from '../remote.ts';
import { commitNotFound, refNotFound } from '../remote-errors.ts';
import { tooLarge } from '../remote-http.ts';
import { GitError, type GitRemote } from '../repository.ts';

export interface FailedFetch {
  readonly remote: GitRemote;
  /** The requested ref or oid. */
  readonly wanted: string;
  readonly stderr: string;
  /** Bytes received of the largest pack. The system ends git when a file reaches the limit. */
  readonly halfPackBytes: number;
  readonly maxPackBytes: number;
}

/**
 * Returns the error of a failed fetch if git's output makes it certain (its messages are in English here). When null, a
 * request to the host finds out more, and more reliably, than the messages of git's HTTP helper.
 */
export function certainFailure({
  remote,
  wanted,
  stderr,
  halfPackBytes,
  maxPackBytes,
}: FailedFetch): GitError | null {
  if (/not our ref|unadvertised object/.test(stderr)) return commitNotFound(remote, wanted);
  if (halfPackBytes >= maxPackBytes) return tooLarge(remote, maxPackBytes);
  return null;
}

/** Returns the error when the host responds as a repository does, but git could not fetch. */
export function remainingFailure({ remote, wanted, stderr }: FailedFetch): GitError {
  // Git's message is the same for web pages, so it is only valid once the host is known to be a repository.
  if (/couldn't find remote ref/i.test(stderr)) {
    return wanted.startsWith('refs/') || wanted === 'HEAD'
      ? refNotFound(remote, wanted)
      : commitNotFound(remote, wanted);
  }
  const broke = /early EOF|RPC failed|hung up|unexpected disconnect|curl \d+|index-pack output/i.test(stderr);
  const lines = stderr.split('\n').filter((line) => /^(fatal|error|remote): /.test(line));
  const reason = printable(redact(lines.at(-1) ?? '', remote)) || 'no reason was given';
  return new GitError(
    broke ? 'host-unreachable' : 'git-failed',
    broke
      ? `The connection to ${new URL(remote.url).host} broke while ${wanted} was fetched (git: ${reason}); if that happens again, check the network.`
      : `git could not fetch ${wanted} from ${remote.url}: ${reason}.`,
  );
}

/** May contain text of the host, so control characters are removed and its length is limited. */
function printable(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 300);
}
