import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { answerLsRefs } from './answer-ls-refs.ts';
import { packetLine } from './packet-line.ts';
import { readPlainRefs } from './read-refs.ts';
import { runRepositoryGit, spawnGit } from './run-git.ts';

export type ServedService = 'git-upload-pack' | 'git-receive-pack';

export interface ServedRequest {
  readonly service: ServedService;
  /** Whether it is the first request of a client, for the list of refs. */
  readonly advertise: boolean;
}

/** Parses a request of the smart HTTP protocol; null for another address. https://git-scm.com/docs/http-protocol */
export function parseGitRequest(method: string, tail: string, query: URLSearchParams): ServedRequest | null {
  const service = query.get('service');
  if (method === 'GET' && tail === 'info/refs' && isService(service))
    return { service: service, advertise: true };
  return method === 'POST' && isService(tail) ? { service: tail, advertise: false } : null;
}

function isService(text: string | null): text is ServedService {
  return text === 'git-upload-pack' || text === 'git-receive-pack';
}

/** A version list such as `version=2`; other values of the header are not passed to git's environment. */
const PROTOCOL = /^[\w=:.-]{1,100}$/;
const MAX_MILLISECONDS = 10 * 60 * 1000;
/** Requests for refs, and of what a client has not, are far below it. */
const MAX_SHORT_BYTES = 16 * 1024;

/**
 * Runs git's own server program and streams both ways; neither side is buffered as a whole. Resolves when git has exited. The
 * caller ends the response, so that a client continues only after its push was recorded.
 */
export async function serveGit(
  gitDir: string,
  { service, advertise }: ServedRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const program = service.slice('git-'.length);
  const protocol = request.headers['git-protocol'];
  response.writeHead(200, {
    'content-type': `application/x-${service}-${advertise ? 'advertisement' : 'result'}`,
    'cache-control': 'no-cache, max-age=0, must-revalidate',
  });
  if (advertise && service === 'git-upload-pack' && protocol === 'version=2') {
    capabilities ??= readCapabilities(gitDir);
    response.write(await capabilities);
    return;
  }
  if (advertise && service === 'git-upload-pack' && protocol === undefined) {
    const refs = await advertiseRefs(gitDir);
    if (refs !== null) {
      response.write(refs);
      return;
    }
  }
  const isShort = Number(request.headers['content-length']) <= MAX_SHORT_BYTES;
  const short =
    isShort && protocol === 'version=2' && request.headers['content-encoding'] === undefined
      ? await buffer(request)
      : null;
  const listed = short && (await answerLsRefs(gitDir, short));
  if (listed !== null) {
    response.write(listed);
    return;
  }
  const child = spawnGit(
    gitDir,
    [program, '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), gitDir],
    typeof protocol === 'string' && PROTOCOL.test(protocol) ? { GIT_PROTOCOL: protocol } : {},
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MILLISECONDS);
  response.on('close', () => child.kill());
  if (advertise && !(protocol?.includes('version=2') && service === 'git-upload-pack')) {
    response.write(`${packetLine(`# service=${service}\n`)}0000`);
  }
  child.stderr.resume();
  // git may stop reading before the client stops sending; its output has the reason.
  child.stdin.on('error', () => undefined);
  if (short === null) {
    const isPacked = request.headers['content-encoding'] === 'gzip';
    (isPacked ? unzip(request, () => child.kill()) : request).pipe(child.stdin);
  } else {
    child.stdin.end(short);
  }
  child.stdout.pipe(response, { end: false });
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
  clearTimeout(timer);
}

/**
 * The first response in version 2 of git's protocol: not refs, but the capabilities of the server. They depend on the program
 * and the settings, which are the same for all repositories here (bare-repository.ts), so they are read once.
 */
let capabilities: Promise<Buffer> | undefined;

async function readCapabilities(gitDir: string): Promise<Buffer> {
  try {
    const args = ['upload-pack', '--stateless-rpc', '--advertise-refs', gitDir];
    return (await runRepositoryGit(gitDir, args, { env: { GIT_PROTOCOL: 'version=2' } })).stdout;
  } catch (error) {
    capabilities = undefined;
    throw error;
  }
}

/** What `git upload-pack` can do in a repository with a configuration, by its text. */
const abilities = new Map<string, Promise<string>>();

/**
 * The first response in versions before 2, which lists the refs: written from their files, since starting git takes longer.
 * Null where git has to answer ({@link readPlainRefs}).
 */
async function advertiseRefs(gitDir: string): Promise<string | null> {
  const [plain, config] = await Promise.all([readPlainRefs(gitDir), readFile(`${gitDir}/config`, 'utf8')]);
  if (plain === null) return null;
  const { refs, branch, current } = plain;
  const able = abilities.get(config) ?? readAbilities(gitDir);
  abilities.set(config, able);
  const known = await able.catch((error: unknown) => {
    abilities.delete(config);
    throw error;
  });
  const lines = [
    `${current} HEAD\0${known.replace(/(?<=symref=HEAD:)\S+/, () => branch)}`,
    ...Object.entries(refs).map(([name, oid]) => `${oid} ${name}`),
  ].map((line) => packetLine(`${line}\n`));
  return [packetLine('# service=git-upload-pack\n'), '0000', ...lines, '0000'].join('');
}

async function readAbilities(gitDir: string): Promise<string> {
  const args = ['upload-pack', '--stateless-rpc', '--advertise-refs', gitDir];
  const { stdout } = await runRepositoryGit(gitDir, args);
  return /\0([^\n]*)/.exec(stdout.toString('utf8'))?.[1] ?? '';
}

function unzip(request: IncomingMessage, onDamage: () => void): Readable {
  const stream = request.pipe(createGunzip());
  stream.on('error', onDamage);
  return stream;
}
