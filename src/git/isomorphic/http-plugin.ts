import type { HttpClient } from 'isomorphic-git';
import { packet } from '../packet-lines.ts';
import type { RemoteHttp } from '../remote-http.ts';

/** isomorphic-git's HTTP port over our own conversation: it hears the advertisement given, and packs go through it. */
export function httpPlugin(http: RemoteHttp, advertisement: Uint8Array): HttpClient {
  return {
    async request({ url, method, headers = {}, body }) {
      if (method === 'POST') {
        const request = Buffer.concat(await Array.fromAsync(body ?? []));
        return http.send('git-upload-pack', askForThinPack(request), headers);
      }
      return {
        url,
        method: 'GET',
        statusCode: 200,
        statusMessage: 'OK',
        headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
        body: only(advertisement),
      };
    },
  };
}

/**
 * Adds a capability to the first line of a request. Without it a host answers a shallow fetch with every object of
 * the commit, whatever is here already: 1.1 s instead of 0.1 s for a small change to a repository of 6 MB.
 * isomorphic-git reads such packs, and leaves them out of its requests only for the git program's sake.
 */
function askForThinPack(request: Buffer): Buffer {
  const end = Number.parseInt(request.toString('latin1', 0, 4), 16);
  const line = request.toString('utf8', 4, end).replace(/\n$/, '');
  return Buffer.concat([Buffer.from(packet(`${line} thin-pack\n`)), request.subarray(end)]);
}

async function* only(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}
