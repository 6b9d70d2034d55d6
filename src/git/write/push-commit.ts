import type { CacheSettings } from '../cache-settings.ts';
import { withDeadline } from '../deadline.ts';
import { checkRefName } from '../names.ts';
import { hashOf } from '../object-oid.ts';
import { packet } from '../packet-lines.ts';
import { readAdvertisement, readWhole } from '../read-advertisement.ts';
import { redact } from '../remote.ts';
import { converse, type RemoteHttp } from '../remote-http.ts';
import { GitError, type GitRemote, type NewCommit } from '../repository.ts';
import { type PushResponse, readPushResponse } from './push-response.ts';
import { writePack } from './write-pack.ts';

export interface Push {
  readonly remote: GitRemote;
  readonly ref: string;
  readonly commit: NewCommit;
  /** The commit that the branch must point to; null when it must not exist. */
  readonly expected: string | null;
}

/** Pushes a commit to a branch under the time limit; see `GitRepository.push`. */
export async function pushCommit(
  settings: CacheSettings,
  push: Push,
  callerSignal?: AbortSignal,
): Promise<void> {
  checkRefName(push.ref);
  const { guard, maxPackBytes, timeoutMs } = settings;
  const { remote } = push;
  await withDeadline(remote, timeoutMs, callerSignal, (signal) =>
    converse({ guard, remote, signal, maxBytes: maxPackBytes }, (http) => sendCommit(http, push)),
  );
}

/** gitprotocol-pack(5), "Pushing Data To a Server". */
async function sendCommit(http: RemoteHttp, { remote, ref, commit, expected }: Push): Promise<void> {
  const { refs, capabilities } = await readAdvertisement(http, 'git-receive-pack');
  const none = '0'.repeat(commit.oid.length);
  const now = refs.get(ref) ?? none;
  if (now === commit.oid) return;
  if (now !== (expected ?? none)) throw moved(remote, ref);
  const hash = hashOf(commit.oid);
  const offered = capabilities.split(' ');
  const requested = [
    ...['report-status', 'side-band-64k', 'quiet'].filter((capability) => offered.includes(capability)),
    ...(hash === 'sha256' && offered.includes('object-format=sha256') ? ['object-format=sha256'] : []),
    'agent=docloom',
  ];
  const body = Buffer.concat([
    Buffer.from(`${packet(`${now} ${commit.oid} ${ref}\0${requested.join(' ')}`)}0000`),
    await writePack(commit.objects, hash),
  ]);
  const response = await http.send('git-receive-pack', body, {});
  const isBanded = requested.includes('side-band-64k');
  checkAccepted(readPushResponse(await readWhole(response, maxReportBytes), isBanded), remote, ref);
}

/** A report has one line for each ref, and messages of the host. */
const maxReportBytes = 1024 * 1024;

/** The maximum length of the host's messages; enough to name the rule that forbids the push. */
const maxMessageLength = 500;

/** The reasons of hosts when another push came first. */
const outdated =
  /non-fast-forward|fetch first|stale info|cannot lock|failed to lock|incorrect old value|already exists|failed to update ref/i;

function checkAccepted({ report, messages }: PushResponse, remote: GitRemote, ref: string): void {
  if (report.includes(`ok ${ref}`)) return;
  const refused = report.find((line) => line.startsWith(`ng ${ref} `))?.slice(`ng ${ref} `.length);
  const unpack = report
    .find((line) => line.startsWith('unpack ') && line !== 'unpack ok')
    ?.slice('unpack '.length);
  if (refused !== undefined && outdated.test(refused)) throw moved(remote, ref);
  const reason = printable(refused ?? unpack ?? 'no reason was given', remote).slice(0, 200);
  const shown = printable(messages, remote)
    .slice(0, maxMessageLength)
    .replace(/[.\s]+$/, '');
  throw new GitError(
    'push-refused',
    `${remote.url} refused the commit for ${ref}: ${reason}${shown && `, “${shown}”`}. Check its branch protection, and whether the credentials may write.`,
  );
}

function printable(text: string, remote: GitRemote): string {
  return redact(text, remote).replaceAll(/[^\x20-\x7e]/g, ' ');
}

function moved(remote: GitRemote, ref: string): GitError {
  return new GitError(
    'ref-moved',
    `The branch ${ref} of ${remote.url} has moved in the meantime, so nothing was pushed to it.`,
    {
      retryable: true,
    },
  );
}
