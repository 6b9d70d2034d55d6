import { FetchError } from './fetch-error.ts';

/** A response that has been read completely: no connection stays open, whatever the caller does with it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The address that answered, after redirects. */
  readonly url: URL;
  bytes(): Uint8Array;
  /** The body as UTF-8. */
  text(): string;
  /** @throws FetchError `bad-json` */
  json(): unknown;
}

export function createHttpResponse(
  status: number,
  headers: Headers,
  url: URL,
  body: Uint8Array,
): HttpResponse {
  const text = (): string => new TextDecoder().decode(body);
  return {
    status,
    headers,
    url,
    bytes: () => body,
    text,
    json() {
      try {
        return JSON.parse(text());
      } catch (cause) {
        const type = headers.get('content-type') ?? 'no content type';
        throw new FetchError(
          'bad-json',
          `${describeUrl(url)} answered ${status} with ${type} where JSON was expected; check that this is the address of the right service.`,
          { cause },
        );
      }
    },
  };
}

/** The address without what may be secret: no user name, password, query or fragment. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
