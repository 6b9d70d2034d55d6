import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { runRepositoryGit, spawnGit } from './run-git.ts';

export type ServedService = 'git-upload-pack' | 'git-receive-pack';

export interface ServedRequest {
  readonly service: ServedService;
  /** The first call of a client: which refs there are. */
  readonly advertise: boolean;
}

/** What a smart HTTP request asks for; null for another address. https://git-scm.com/docs/http-protocol */
export function parseGitRequest(method: string, tail: string, query: URLSearchParams): ServedRequest | null {
  const service = query.get('service');
  if (method === 'GET' && tail === 'info/refs' && isService(service))
    return { service: service, advertise: true };
  return method === 'POST' && isService(tail) ? { service: tail, advertise: false } : null;
}

function isService(text: string | null): text is ServedService {
  return text === 'git-upload-pack' || text === 'git-receive-pack';
}

/** A version list such as `version=2`; anything else of the header is dropped before it becomes environment. */
const PROTOCOL = /^[\w=:.-]{1,100}$/;
const MAX_MILLISECONDS = 10 * 60 * 1000;

/**
 * Runs git's own server program and streams both ways; nothing is held in memory as a whole.
 * Answers when git has ended. The response stays open after a push, for the caller to end:
 * so the client comes back only when the push was taken note of.
 */
export async function serveGit(
  gitDir: string,
  what: ServedRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const program = what.service.slice('git-'.length);
  const protocol = request.headers['git-protocol'];
  response.writeHead(200, {
    'content-type': `application/x-${what.service}-${what.advertise ? 'advertisement' : 'result'}`,
    'cache-control': 'no-cache, max-age=0, must-revalidate',
  });
  if (what.advertise && what.service === 'git-upload-pack' && protocol === 'version=2') {
    abilities ??= readAbilities(gitDir);
    response.write(await abilities);
    return;
  }
  const child = spawnGit(
    gitDir,
    [program, '--stateless-rpc', ...(what.advertise ? ['--advertise-refs'] : []), gitDir],
    typeof protocol === 'string' && PROTOCOL.test(protocol) ? { GIT_PROTOCOL: protocol } : {},
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MILLISECONDS);
  response.on('close', () => child.kill());
  if (what.advertise && !(protocol?.includes('version=2') && what.service === 'git-upload-pack')) {
    const line = `# service=${what.service}\n`;
    response.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`);
  }
  child.stderr.resume();
  // git may stop reading before the client stops sending; its answer says why.
  child.stdin.on('error', () => undefined);
  const body = request.headers['content-encoding'] === 'gzip' ? unzip(request, () => child.kill()) : request;
  body.pipe(child.stdin);
  child.stdout.pipe(response, { end: false });
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
  clearTimeout(timer);
}

/**
 * What git answers first in version 2 of its protocol: not refs, but what it can do. That depends on the program and
 * on the settings, which are the same for all repositories here (bare-repository.ts), so it is asked for once.
 */
let abilities: Promise<Buffer> | undefined;

async function readAbilities(gitDir: string): Promise<Buffer> {
  try {
    const args = ['upload-pack', '--stateless-rpc', '--advertise-refs', gitDir];
    return (await runRepositoryGit(gitDir, args, { env: { GIT_PROTOCOL: 'version=2' } })).stdout;
  } catch (error) {
    abilities = undefined;
    throw error;
  }
}

function unzip(request: IncomingMessage, onDamage: () => void): Readable {
  const stream = request.pipe(createGunzip());
  stream.on('error', onDamage);
  return stream;
}
