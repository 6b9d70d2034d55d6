import { redact } from '../remote.ts';
import { commitNotFound, refNotFound } from '../remote-faults.ts';
import { tooLarge } from '../remote-http.ts';
import { GitError, type GitRemote } from '../repository.ts';

export interface FailedFetch {
  readonly remote: GitRemote;
  /** The ref or oid that was asked for. */
  readonly wanted: string;
  readonly stderr: string;
  readonly maxPackBytes: number;
}

/**
 * What git itself says for certain about a failed fetch (its messages are in English here), or null: then asking
 * the host directly tells more, and more reliably, than the words of git's HTTP helper.
 */
export function knownFailure({ remote, wanted, stderr, maxPackBytes }: FailedFetch): GitError | null {
  if (/couldn't find remote ref (?![0-9a-f]{40})/i.test(stderr)) return refNotFound(remote, wanted);
  if (/not our ref|unadvertised object|couldn't find remote ref/i.test(stderr))
    return commitNotFound(remote, wanted);
  // SIGXFSZ is 25 nearly everywhere, 31 on MIPS.
  if (/died of signal (25|31)\b|File too large/.test(stderr)) return tooLarge(remote, maxPackBytes);
  return null;
}

/** What is left to say when the host answers well, and git still could not fetch. */
export function unknownFailure({ remote, wanted, stderr }: FailedFetch): GitError {
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
