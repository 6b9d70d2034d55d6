import { redact } from '../remote.ts';
import { commitNotFound, refNotFound } from '../remote-faults.ts';
import { tooLarge } from '../remote-http.ts';
import { GitError, type GitRemote } from '../repository.ts';

export interface FailedFetch {
  readonly remote: GitRemote;
  /** The ref or oid that was asked for. */
  readonly wanted: string;
  readonly stderr: string;
  /** What came of the largest pack. The system ends git where a file reaches the limit. */
  readonly halfPackBytes: number;
  readonly maxPackBytes: number;
}

/**
 * What git's words say for certain about a failed fetch (they are in English here), or null: then asking the host
 * directly tells more, and more reliably, than the words of git's HTTP helper.
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

/** What is left to say when the host answers as a repository does, and git still could not fetch. */
export function remainingFailure({ remote, wanted, stderr }: FailedFetch): GitError {
  // Git says so about web pages too, so this holds only once the host is known to be a repository.
  if (/couldn't find remote ref/i.test(stderr)) {
    return wanted.startsWith('refs/') || wanted === 'HEAD'
      ? refNotFound(remote, wanted)
      : commitNotFound(remote, wanted);
  }
  const broke = /early EOF|RPC failed|hung up|unexpected disconnect|curl \d+|index-pack output/i.test(stderr);
  const lines = stderr.split('\n').filter((line) => /^(fatal|error|remote): /.test(line));
  const said = printable(redact(lines.at(-1) ?? '', remote)) || 'it gave no reason';
  return new GitError(
    broke ? 'host-unreachable' : 'git-failed',
    broke
      ? `The connection to ${new URL(remote.url).host} broke while ${wanted} was fetched (git: ${said}); this is tried again.`
      : `git could not fetch ${wanted} from ${remote.url}: ${said}.`,
  );
}

/** The host's own words may be in it, so no control characters and no flood. */
function printable(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 300);
}
