import type { HttpClient } from 'isomorphic-git';
import type { RemoteAnswer, RemoteHttp } from '../remote-http.ts';

/** isomorphic-git's HTTP port over our own conversation: the refs were asked for already, packs go through it. */
export function httpPlugin(
  http: RemoteHttp,
  advertisement: Omit<RemoteAnswer, 'body'> & { body: Buffer },
): HttpClient {
  return {
    async request({ method, headers = {}, body }) {
      if (method !== 'POST') return { ...advertisement, body: only(advertisement.body) };
      const { authorization: _ours, Authorization: _too, ...rest } = headers;
      return http.upload(Buffer.concat(await Array.fromAsync(body ?? [])), rest);
    },
  };
}

async function* only(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}
