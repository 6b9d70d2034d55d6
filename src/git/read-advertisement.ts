import { type Advertisement, parseAdvertisement } from './advertisement.ts';
import type { GitService, RemoteHttp, RemoteResponse } from './remote-http.ts';
import { GitError } from './repository.ts';

/** Enough for a million branches; a host may send without end, and all of it stays in memory until it is read. */
const maxAdvertisementBytes = 64 * 1024 * 1024;

/** @throws GitError `too-large` for an advertisement above the limit */
export async function readAdvertisement(http: RemoteHttp, service: GitService): Promise<Advertisement> {
  return parseAdvertisement(await readWhole(await http.discover(service), maxAdvertisementBytes));
}

/** Reads the whole body of a response. @throws GitError `too-large` */
export async function readWhole(response: RemoteResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) {
      const { host } = new URL(response.url);
      throw new GitError(
        'too-large',
        `${host} sends more than ${Math.round(maxBytes / 1024 / 1024)} MiB instead of a list of refs; check that the address is that of a git repository.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
