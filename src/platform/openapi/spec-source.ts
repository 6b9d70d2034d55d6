import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { OpenAPISource } from '../../contract/index.ts';
import { invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';

/** The address from which a specification is fetched, and the headers with their secrets. */
export interface RemoteSource {
  /** Without a user name and password, which are in the headers. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A specification whose files were sent with the request. */
export interface UploadedSource {
  readonly entry: string;
  readonly files: Readonly<Record<string, string>>;
}

export type RequestedSource =
  | { readonly kind: 'remote'; readonly remote: RemoteSource }
  | { readonly kind: 'upload'; readonly upload: UploadedSource };

/** Parses the source of a request; throws a 400 that names what is wrong with it. */
export function parseSpecSource(source: OpenAPISource): RequestedSource {
  if ('url' in source) return { kind: 'remote', remote: readRemote(source) };
  const entry = source.path ?? 'openapi';
  if (!isPlainPath(entry))
    throw invalid('/body/source/path', 'must be a path without "..", such as api/openapi.yaml');
  for (const path of Object.keys(source.files ?? {})) {
    if (isPlainPath(path)) continue;
    throw invalid('/body/source/files', 'must have paths without ".." as names, such as schemas/pet.yaml');
  }
  return { kind: 'upload', upload: { entry, files: { ...source.files, [entry]: source.text } } };
}

function readRemote(source: Extract<OpenAPISource, { url: string }>): RemoteSource {
  const url = URL.parse(source.url);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalid('/body/source/url', 'must be an address that begins with https:// or http://');
  }
  const headers = Object.fromEntries(
    Object.entries(source.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  for (const name of ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade']) {
    if (name in headers) throw invalid(`/body/source/headers/${name}`, 'is a header that cannot be set');
  }
  if (url.username !== '' || url.password !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers['authorization'] ??= `Basic ${Buffer.from(pair).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  url.hash = '';
  return { url: url.href, headers };
}

function isPlainPath(path: string): boolean {
  return (
    !/^\/|\\|^[a-z][a-z\d+.-]*:/i.test(path) &&
    !path.split('/').some((part) => part === '..' || part === '.' || part === '')
  );
}

/** The address without its query, which may contain secrets, as in signed URLs. */
export function publicAddress(address: string): string {
  const url = new URL(address);
  url.search = '';
  return url.href;
}

/** The columns of a source. */
export function toSourceColumns(
  source: RequestedSource,
  sealer: PlatformDeps['sealer'],
): { readonly sourceUrl: string | null; readonly sealedSource: string | null } {
  if (source.kind === 'upload') return { sourceUrl: null, sealedSource: null };
  return {
    sourceUrl: publicAddress(source.remote.url),
    sealedSource: sealer.seal(JSON.stringify(source.remote)),
  };
}

export function unsealSource(sealed: string, sealer: PlatformDeps['sealer']): RemoteSource {
  return JSON.parse(sealer.unseal(sealed)) as RemoteSource;
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

export async function packUpload(upload: UploadedSource): Promise<Buffer> {
  return await compress(JSON.stringify(upload), { level: 1 });
}

export async function unpackUpload(content: Buffer): Promise<UploadedSource> {
  return JSON.parse((await expand(content)).toString()) as UploadedSource;
}
