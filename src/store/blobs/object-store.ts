import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Http, HttpResponse } from '../../net/index.ts';

/** Where an S3-compatible object store is, and how it is reached. */
export interface ObjectStoreSettings {
  /** Its address without the bucket, `https://s3.example.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Of all keys: empty, or `docloom/blobs/`. */
  readonly prefix: string;
  /** Whether the bucket is the first part of the path, not of the host. */
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken: string | null;
}

/** The few operations that a store of blobs needs, of Amazon's S3 API, which many others speak. */
export interface ObjectStore {
  /** Its size in bytes; null when there is no such object. @throws ObjectStoreError */
  head(key: string): Promise<number | null>;
  /** Null when there is no such object. The stream may fail. @throws ObjectStoreError */
  get(key: string): Promise<Readable | null>;
  /** Stores it in place of an earlier one; the store checks that all bytes arrived. @throws ObjectStoreError */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Deletes it if it is there. @throws ObjectStoreError */
  delete(key: string): Promise<void>;
}

/** The object store does not do what it was asked. The message is one sentence without secrets. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  /** What it answered, as `507 InsufficientStorage`; null when it did not answer. */
  readonly answer: string | null;

  constructor(
    message: string,
    { answer = null, ...options }: ErrorOptions & { answer?: string | null } = {},
  ) {
    super(message, options);
    this.answer = answer;
  }
}

/** Tries after the first. */
const RETRIES = 3;
const BACKOFF_MS = 200;

const CREDENTIALS =
  'check BLOBS_ACCESS_KEY_ID and BLOBS_SECRET_ACCESS_KEY, and that they may read, write and delete there';

/** What to do about an error of the store, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'make the bucket, or correct BLOBS_URL',
  InvalidAccessKeyId: CREDENTIALS,
  SignatureDoesNotMatch: CREDENTIALS,
  AccessDenied: CREDENTIALS,
  ExpiredToken: 'renew BLOBS_SESSION_TOKEN and its keys',
  RequestTimeTooSkewed: 'set the clock of this machine',
  AuthorizationHeaderMalformed: 'set BLOBS_REGION to the region of the bucket',
  PermanentRedirect: 'set BLOBS_ENDPOINT and BLOBS_REGION to those of the bucket',
  QuotaExceeded: 'free space there, or raise its quota',
  XMinioStorageFull: 'free space there',
  InsufficientStorage: 'free space there',
};

/** Speaks with an object store over the given HTTP client; each request is signed (AWS Signature Version 4). */
export function createObjectStore(settings: ObjectStoreSettings, http: Http): ObjectStore {
  const { bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const base = new URL(settings.endpoint);
  if (!settings.pathStyle) base.host = `${bucket}.${base.host}`;
  const root = `${base.origin}${base.pathname.replace(/\/$/, '')}${settings.pathStyle ? `/${bucket}` : ''}`;
  const name = `s3://${bucket} at ${new URL(settings.endpoint).host}`;

  async function sign(method: string, key: string, body?: Uint8Array) {
    const url = `${root}/${prefix}${key}`;
    const headers: Record<string, string> = {
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    };
    if (body !== undefined) {
      headers['x-amz-checksum-sha256'] = createHash('sha256').update(body).digest('base64');
      headers['content-md5'] = createHash('md5').update(body).digest('base64');
    }
    const signer = new AwsV4Signer({
      method,
      url,
      headers,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      service: 's3',
      region,
    });
    const signed = await signer.sign();
    return { url, headers: Object.fromEntries(signed.headers.entries()) };
  }

  /** Sends a request until its answer is final: failures of the store and of the way to it may pass. */
  async function retry<T>(send: () => Promise<T>, statusOf: (answer: T) => number): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt === RETRIES;
      const answer = await send().catch((error: unknown) => (isLast ? failed(error) : null));
      const status = answer === null ? 503 : statusOf(answer);
      if (answer !== null && (isLast || (status < 500 && status !== 429))) return answer;
      await sleep(BACKOFF_MS * 2 ** attempt);
    }
  }

  async function request(
    method: string,
    key: string,
    accepted: readonly number[],
    body?: Uint8Array,
  ): Promise<HttpResponse> {
    const response = await retry(
      async () => {
        // Signed anew: a signature is valid for some minutes only.
        const { url, headers } = await sign(method, key, body);
        return await http.request(url, { method, headers, retries: 0, ...(body !== undefined && { body }) });
      },
      ({ status }) => status,
    );
    if (accepted.includes(response.status)) return response;
    throw refused(response);
  }

  function failed(error: unknown): never {
    throw new ObjectStoreError(
      `The object store ${name} does not answer: check that it is up and that BLOBS_ENDPOINT is its address.`,
      { cause: error },
    );
  }

  function refused(response: HttpResponse): ObjectStoreError {
    const code = /<Code>([\w.-]{1,64})<\/Code>/.exec(response.text())?.[1] ?? '';
    const advice =
      ADVICE[code] ??
      (response.status === 403 ? CREDENTIALS : response.status === 507 ? 'free space there' : 'see its log');
    const answer = [String(response.status), code].filter((part) => part !== '').join(' ');
    return new ObjectStoreError(`The object store ${name} answered ${answer}: ${advice}.`, { answer });
  }

  return {
    async head(key) {
      const response = await request('HEAD', key, [200, 404]);
      return response.status === 404 ? null : Number(response.headers.get('content-length') ?? 0);
    },

    async get(key) {
      const answer = await retry(
        async () => {
          const { url, headers } = await sign('GET', key);
          return await http.stream(url, { headers, expected: 200 });
        },
        (sent) => ('body' in sent ? 200 : sent.response.status),
      );
      if ('body' in answer) return answer.body;
      const { response } = answer;
      if (response.status === 404 && !response.text().includes('NoSuchBucket')) return null;
      throw refused(response);
    },

    async put(key, bytes) {
      await request('PUT', key, [200], bytes);
    },

    async delete(key) {
      await request('DELETE', key, [200, 204, 404]);
    },
  };
}
