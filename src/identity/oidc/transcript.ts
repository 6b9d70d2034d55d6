import type { CustomFetch } from 'openid-client';

/** What a provider answered while it was tried out, each as it came. */
export interface Transcript {
  /** At `/.well-known/openid-configuration`. */
  description: string | null;
  /** Of the token endpoint. */
  token: string | null;
  userinfo: string | null;
}

export function emptyTranscript(): Transcript {
  return { description: null, token: null, userinfo: null };
}

/** The same requests, whose answers are kept. */
export function transcribing(request: CustomFetch, transcript: Transcript): CustomFetch {
  return async (url, options) => {
    const response = await request(url, options);
    const part = partOf(url, options);
    if (part !== null) transcript[part] = await response.clone().text();
    return response;
  };
}

/** Keys are of no interest; the library sends the client's secret with `POST`, and a token only to userinfo. */
function partOf(url: string, { method, headers }: Parameters<CustomFetch>[1]): keyof Transcript | null {
  if (method === 'POST') return 'token';
  if (new Headers(headers).has('authorization')) return 'userinfo';
  return new URL(url).pathname.includes('/.well-known/') ? 'description' : null;
}
