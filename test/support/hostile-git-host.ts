import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { packet } from '../../src/git/packet-lines.ts';
import type { TestRepo } from './git-repo.ts';
import type { SeenRequest, ServerAnswer } from './git-server.ts';

const capabilities =
  'side-band-64k shallow filter no-progress allow-tip-sha1-in-want allow-reachable-sha1-in-want object-format=sha1';

/**
 * Answers as a host that advertises any commit as its branch `main` and sends only the named objects, whatever is
 * requested: it has never seen the commit's other objects. For repositories other than `path`, `otherwise` answers.
 *
 * @param objects Oids of objects in `repo`; none for a host that only knows an oid.
 */
export async function hostOf(
  path: string,
  commit: string,
  repo: TestRepo,
  objects: readonly string[],
  otherwise: (request: SeenRequest) => ServerAnswer = () => 'git',
): Promise<(request: SeenRequest) => ServerAnswer> {
  const packed = await repo.git(
    ['pack-objects', '-q', '.git-hostile'],
    objects.map((oid) => `${oid}\n`).join(''),
  );
  const pack = await readFile(`${repo.dir}/.git-hostile-${packed}.pack`);
  return (request) => {
    if (!request.url.startsWith(`${path}/`)) return otherwise(request);
    return request.method === 'GET'
      ? (response) => advertise(response, commit)
      : (response) => void sendPack(response.req, response, commit, pack);
  };
}

function advertise(response: ServerResponse, commit: string): void {
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
  const head = packet(`${commit} HEAD\0${capabilities}\n`);
  const main = packet(`${commit} refs/heads/main\n`);
  response.end(`${packet('# service=git-upload-pack\n')}0000${head}${main}0000`);
}

/** gitprotocol-pack(5), versions 0 and 1: the boundary of a shallow fetch, then a pack once the client is done. */
async function sendPack(
  request: IncomingMessage,
  response: ServerResponse,
  commit: string,
  pack: Buffer,
): Promise<void> {
  const wants = Buffer.concat(await Array.fromAsync(request)).toString('latin1');
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
  const isKnown = wants.includes(`shallow ${commit}`);
  if (wants.includes('deepen 1')) response.write(`${isKnown ? '' : packet(`shallow ${commit}`)}0000`);
  if (wants.includes('have ') || wants.includes('done')) response.write(packet('NAK\n'));
  response.end(wants.includes('done') ? inSideBand(pack) : undefined);
}

/** gitprotocol-pack(5), "Packfile Data": the first byte of each line says that it belongs to the pack. */
function inSideBand(pack: Buffer): Buffer {
  const head = (pack.length + 5).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(`${head}\u0001`), pack, Buffer.from('0000')]);
}
