import { resolve } from 'node:path';
import { type ProxySettings, splitExceptions } from '../../net/index.ts';
import type { BlobSettings, ObjectStoreSettings } from '../../store/index.ts';
import type { SettingsReader } from './settings-reader.ts';

export interface StoreConfig {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Past the connection pooler of `databaseUrl`; null where that is the server itself. */
  readonly databaseDirectUrl: string | null;
  /** Null without a read replica. */
  readonly databaseReplicaUrl: string | null;
  readonly secretKey: string | null;
  readonly blobs: BlobSettings;
  readonly proxies: ProxySettings;
}

export function readStoreConfig(reader: SettingsReader): StoreConfig {
  return {
    dataDir: resolve(reader.text('DATA_DIR') ?? '.docloom'),
    ...readDatabase(reader),
    secretKey: reader.text('SECRET_KEY'),
    blobs: {
      objects: readObjectStore(reader),
      cacheBytes: reader.count('BLOBS_CACHE_MB', 2_048) * 1024 ** 2,
    },
    proxies: {
      https: reader.proxy('HTTPS_PROXY'),
      http: reader.proxy('HTTP_PROXY'),
      exceptions: splitExceptions(reader.lowerCase('NO_PROXY') ?? reader.text('NO_PROXY') ?? ''),
    },
  };
}

function readDatabase(
  reader: SettingsReader,
): Pick<StoreConfig, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl'> {
  const [databaseUrl, databaseDirectUrl] = [reader.text('DATABASE_URL'), reader.text('DATABASE_DIRECT_URL')];
  if (databaseUrl === null && databaseDirectUrl !== null)
    reader.problem('DATABASE_DIRECT_URL', 'needs DATABASE_URL, the address of the pooler before it');
  const databaseReplicaUrl = reader.text('DATABASE_REPLICA_URL');
  if (databaseUrl === null && databaseReplicaUrl !== null)
    reader.problem('DATABASE_REPLICA_URL', 'needs DATABASE_URL, whose replica it is');
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrl };
}

/** A bucket has 3 to 63 of these characters (Amazon S3's naming rules); they also keep it from being more than a host's first label. */
const BUCKET_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/;

function readObjectStore(reader: SettingsReader): ObjectStoreSettings | null {
  const url = reader.text('BLOBS_URL');
  // Read also without an address: a file of a secret that cannot be read is a problem in any case.
  const [accessKeyId, secretAccessKey, sessionToken] = [
    reader.text('BLOBS_ACCESS_KEY_ID'),
    reader.text('BLOBS_SECRET_ACCESS_KEY'),
    reader.text('BLOBS_SESSION_TOKEN'),
  ];
  if (url === null) return null;
  const [, bucket, path = ''] = BUCKET_URL.exec(url) ?? [];
  const prefix = path.replace(/\/+$/, '');
  if (
    bucket === undefined ||
    prefix.split('/').some((part) => part === '..' || (part === '' && prefix !== ''))
  ) {
    reader.problem('BLOBS_URL', 'must be s3://BUCKET or s3://BUCKET/PREFIX');
    return null;
  }
  const region = reader.text('BLOBS_REGION') ?? 'us-east-1';
  const endpoint = reader.httpUrl('BLOBS_ENDPOINT');
  if (accessKeyId === null)
    reader.problem('BLOBS_ACCESS_KEY_ID', 'is missing: BLOBS_URL needs an access key');
  if (secretAccessKey === null)
    reader.problem('BLOBS_SECRET_ACCESS_KEY', 'is missing: set it to the secret of BLOBS_ACCESS_KEY_ID');
  return {
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    pathStyle: reader.choice('BLOBS_PATH_STYLE', ['on', 'off'], endpoint === null ? 'off' : 'on') === 'on',
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
    sessionToken,
  };
}
