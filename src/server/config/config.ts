/** The settings of `docloom serve` and of the commands that open its store: read here, checked before anything opens. */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseMailAddress, parseSmtpUrl, type SmtpSettings } from '../../identity/index.ts';
import { type ProxySettings, splitExceptions, withScheme } from '../../net/index.ts';
import type { ModelSettings, TranslationSettings } from '../../platform/index.ts';
import {
  type BlobSettings,
  MIN_AUDIT_DAYS,
  type ObjectStoreSettings,
  RETENTION_DAYS,
} from '../../store/index.ts';
import { isQueueName, JOB_FAMILIES, type ProcessRole, ROLES } from '../roles.ts';
import { type OpenApiSecrets, readOpenApiSecrets } from './openapi-secrets.ts';
import { listSecrets, readSecret } from './secret-files.ts';

/** An environment variable. A test compares `docs/configuration.md` with this table. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** The default value for the documentation; absent when there is none. */
  readonly fallback?: string;
  /** Never printed, and read from a file where `NAME_FILE` is set instead of `NAME`. */
  readonly secret?: true;
}

export const SETTINGS = [
  {
    name: 'DATA_DIR',
    meaning: 'the folder of the embedded database, the blobs, the git caches and the keys',
    fallback: '.docloom',
  },
  {
    name: 'DATABASE_URL',
    meaning: 'your own PostgreSQL (15 or newer) instead of the embedded one',
    secret: true,
  },
  {
    name: 'DATABASE_DIRECT_URL',
    meaning:
      'the address of the PostgreSQL itself where DATABASE_URL leads to a connection pooler such as PgBouncer in transaction mode: for the queue, which needs 5 connections for each process, and for updates of the tables',
    fallback: 'DATABASE_URL',
    secret: true,
  },
  {
    name: 'DATABASE_REPLICA_URL',
    meaning:
      'a streaming replica of DATABASE_URL, from which published pages and searches of sites are read where it is up to date',
    secret: true,
  },
  {
    name: 'BLOBS_URL',
    meaning:
      'the bucket of an S3-compatible object store, `s3://bucket/prefix`, for the bytes of files, which several machines share; without it they are in DATA_DIR',
  },
  {
    name: 'BLOBS_ENDPOINT',
    meaning: 'the address of the object store, such as `https://s3.example.com`',
    fallback: 'https://s3.BLOBS_REGION.amazonaws.com',
  },
  { name: 'BLOBS_REGION', meaning: 'the region of the bucket', fallback: 'us-east-1' },
  {
    name: 'BLOBS_PATH_STYLE',
    meaning:
      'on puts the bucket into the path (`https://s3.example.com/bucket`), off into the host; by default on where BLOBS_ENDPOINT is set',
  },
  { name: 'BLOBS_ACCESS_KEY_ID', meaning: 'the access key for BLOBS_URL; needed with it', secret: true },
  {
    name: 'BLOBS_SECRET_ACCESS_KEY',
    meaning: 'the secret of the access key; needed with BLOBS_URL',
    secret: true,
  },
  { name: 'BLOBS_SESSION_TOKEN', meaning: 'the token of temporary credentials', secret: true },
  {
    name: 'BLOBS_CACHE_MB',
    meaning: 'megabytes of files from the object store that stay on this machine',
    fallback: '2048',
  },
  {
    name: 'ROLE',
    meaning:
      'what this process does: web answers people, the API and webhooks, worker runs jobs, all does both; `docloom serve --role` takes precedence',
    fallback: 'all',
  },
  {
    name: 'QUEUES',
    meaning:
      'the jobs that this process runs (comma separated): families such as `git` or kinds such as `sync.export`; `docloom serve --queues` takes precedence',
    fallback: 'all jobs',
  },
  {
    name: 'DRAIN_SECONDS',
    meaning:
      'how long a process that is told to stop still answers requests after /readyz says that it is not ready; 0 to 300',
    fallback: '0',
  },
  { name: 'HOST', meaning: 'the address to listen on', fallback: '127.0.0.1' },
  { name: 'PORT', meaning: 'the port to listen on; 0 for any free one', fallback: '3000' },
  {
    name: 'PUBLIC_URL',
    meaning: 'the address at which people and GitHub reach this server',
    fallback: 'http://HOST:PORT',
  },
  {
    name: 'SITES_URL',
    meaning:
      'a wildcard address, such as `https://*.docs.example.com`, below which sites are published, apart from the pages of the team; without it they are below PUBLIC_URL',
    fallback: 'PUBLIC_URL/s',
  },
  {
    name: 'TRUSTED_PROXIES',
    meaning:
      'addresses or networks (comma separated, such as `10.0.0.0/8`) of reverse proxies whose `X-Forwarded-For` names the browser, for the audit log and the limits of attempts to sign in; proxies on this machine always count',
  },
  {
    name: 'APP_ID',
    meaning: "the GitHub App's id; without it the App that was set up at /setup is used",
  },
  {
    name: 'PRIVATE_KEY',
    meaning: "the GitHub App's private key, in PEM or base64 of PEM; needed with APP_ID",
    secret: true,
  },
  {
    name: 'PRIVATE_KEY_PATH',
    meaning: "a file that contains the GitHub App's private key, instead of PRIVATE_KEY",
  },
  { name: 'WEBHOOK_SECRET', meaning: "the GitHub App's webhook secret; needed with APP_ID", secret: true },
  { name: 'WEBHOOK_SECRET_PREVIOUS', meaning: 'the secret before a rotation, still accepted', secret: true },
  {
    name: 'GHE_HOST',
    meaning: 'host (and port) of a GitHub Enterprise Server, or `SUBDOMAIN.ghe.com`, instead of github.com',
  },
  { name: 'GHE_PROTOCOL', meaning: 'https or http, for GHE_HOST', fallback: 'https' },
  {
    name: 'GITHUB_CLIENT_ID',
    meaning:
      'the client ID of the GitHub App, with which people sign in; needs GITHUB_CLIENT_SECRET; without both, that of the App that was set up at /setup with this release or a later one is used',
  },
  { name: 'GITHUB_CLIENT_SECRET', meaning: 'a client secret of the GitHub App', secret: true },
  {
    name: 'RECONCILE_SECONDS',
    meaning:
      'how often GitHub is compared with the live content, so that lost events have no lasting effect; 5 to 86400',
    fallback: '300',
  },
  {
    name: 'DISCONNECTED_DAYS',
    meaning:
      'days after which a space that is disconnected from its repository is deleted, unless people changed it here; 1 to 3650, or `never`',
    fallback: '90',
  },
  {
    name: 'SYNC_SECONDS',
    meaning: 'how often spaces with exports are checked for edits; 2 to 3600',
    fallback: '15',
  },
  {
    name: 'ONBOARDING',
    meaning:
      'on opens a pull request that proposes a configuration to repositories that have none; off does not; wait does, and syncs nothing before it is merged or closed',
    fallback: 'on',
  },
  {
    name: 'ALLOWED_HOSTS',
    meaning:
      'hosts (comma separated, `host` or `host:port`) that may be reached although they are private or use http',
  },
  { name: 'PLATFORM_URL', meaning: "another platform's address, instead of the embedded platform" },
  { name: 'PLATFORM_TOKEN', meaning: 'the token for PLATFORM_URL; needed with it', secret: true },
  {
    name: 'PLATFORM_ORGANIZATION',
    meaning:
      'id of the organization that new spaces belong to; by default the first one that the token can access',
  },
  {
    name: 'SECRET_KEY',
    meaning:
      'the key that encrypts stored credentials, at least 32 random characters; by default generated and stored in DATA_DIR',
    secret: true,
  },
  {
    name: 'GIT_CACHE_MB',
    meaning:
      'megabytes that cached repositories may use; above it the least recently used ones are deleted, but none that was used in the last hour',
    fallback: '20480',
  },
  {
    name: 'OPENAI_URL',
    meaning:
      'the address (with /v1) of an endpoint of chat completions: a language model that translates, and composes answers from your pages; needs OPENAI_MODEL',
  },
  { name: 'OPENAI_API_KEY', meaning: 'its key, if it requires one', secret: true },
  { name: 'OPENAI_MODEL', meaning: 'the name of the model; needed with OPENAI_URL' },
  {
    name: 'OPENAI_TOKENS_PER_DAY',
    meaning:
      'tokens that the model may use per day in UTC, for all processes and organizations together; then everything works as without a model, and translations wait',
    fallback: '1000000',
  },
  {
    name: 'OPENAI_TIMEOUT_SECONDS',
    meaning:
      'how long the model may take for one answer; for translations TRANSLATION_TIMEOUT_SECONDS says it; 1 to 240',
    fallback: '30',
  },
  { name: 'DEEPL_API_KEY', meaning: 'the key of a DeepL account that translates', secret: true },
  {
    name: 'DEEPL_URL',
    meaning: 'the address of DeepL, for free accounts https://api-free.deepl.com',
    fallback: 'https://api.deepl.com',
  },
  { name: 'LIBRETRANSLATE_URL', meaning: 'the address of a LibreTranslate that translates' },
  { name: 'LIBRETRANSLATE_API_KEY', meaning: 'its key, if it requires one', secret: true },
  {
    name: 'TRANSLATION_MAX_WORDS',
    meaning:
      'words that one run of a translation may send at most; then the run stops and can be continued later',
    fallback: '500000',
  },
  {
    name: 'TRANSLATION_REQUESTS_PER_MINUTE',
    meaning: 'requests that one translator gets at most per minute, from all processes together; 1 to 100000',
    fallback: '60',
  },
  {
    name: 'TRANSLATION_TIMEOUT_SECONDS',
    meaning: 'how long one request to a translator may take; 5 to 240',
    fallback: '120',
  },
  {
    name: 'OPENAPI_SECRET_<NAME>',
    meaning:
      'a secret that `openapi[].headers` of repositories may name: the hosts that it is for (comma separated), a space, and the header’s value',
    secret: true,
  },
  {
    name: 'AUDIT_DAYS',
    meaning: 'how many days the events of the audit log stay; 30 to 36500',
    fallback: '730',
  },
  {
    name: 'CONVERSATION_DAYS',
    meaning: 'how many days ingested conversations stay, with their issues; 1 to 36500',
    fallback: '365',
  },
  {
    name: 'SMTP_URL',
    meaning:
      'the mail server that sends mails: `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`; without it no mail is sent, and people copy links instead; needs SMTP_FROM',
    secret: true,
  },
  {
    name: 'SMTP_FROM',
    meaning: 'the sender of mails, `docs@example.com` or `Docs <docs@example.com>`; needed with SMTP_URL',
  },
  {
    name: 'METRICS_TOKEN',
    meaning:
      'the token that requests for /metrics have to send; without it only requests from this machine are answered',
    secret: true,
  },
  {
    name: 'HTTPS_PROXY',
    meaning:
      'the address of a proxy for calls to https addresses: of GitHub, git, the object store, and everything else; HTTP_PROXY is the same for http addresses',
    secret: true,
  },
  { name: 'HTTP_PROXY', meaning: 'the proxy for http addresses', secret: true },
  {
    name: 'NO_PROXY',
    meaning:
      'hosts (comma separated, with all hosts below them) that are reached without the proxy; this machine always is',
  },
  { name: 'LOG_LEVEL', meaning: 'trace, debug, info, warn, error or silent', fallback: 'info' },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];

const SECRETS: ReadonlySet<string> = new Set(
  SETTINGS.flatMap((setting) => ('secret' in setting ? [setting.name] : [])),
);

export interface GitHubConfig {
  readonly appId: number;
  readonly privateKey: string;
  /** The current secret first, then older ones that are still accepted. */
  readonly webhookSecrets: readonly string[];
  readonly host: string | null;
  readonly protocol: 'https' | 'http';
}

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

export interface ServerConfig extends StoreConfig {
  readonly role: ProcessRole;
  /** Kinds and families of jobs; empty for all. */
  readonly queues: readonly string[];
  readonly drainSeconds: number;
  /** Between two checks of spaces with exports. */
  readonly syncSeconds: number;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | null;
  /** `https://*.docs.example.com`; null when sites are below the public address. */
  readonly sitesUrl: string | null;
  /** Addresses and networks; this machine is not among them. */
  readonly trustedProxies: readonly string[];
  /** Of WEBHOOK_SECRET and WEBHOOK_SECRET_PREVIOUS: accepted for every App. */
  readonly webhookSecrets: readonly string[];
  /** Null when the environment names no App: then the one that was set up in the browser is used. */
  readonly github: GitHubConfig | null;
  /** The default GitHub of the set-up page. */
  readonly gitHubAddress: Pick<GitHubConfig, 'host' | 'protocol'>;
  /** With which people sign in; null for those of the App that was set up in the browser. */
  readonly gitHubClient: { readonly clientId: string; readonly clientSecret: string } | null;
  /** Between two passes of the reconciler. */
  readonly reconcileSeconds: number;
  /** Null for ever. */
  readonly retainDisconnectedDays: number | null;
  readonly onboarding: 'on' | 'off' | 'wait';
  readonly allowedHosts: readonly string[];
  readonly platform: { readonly url: string; readonly token: string } | null;
  readonly organizationId: string | null;
  /** How long events of the audit log stay. */
  readonly auditDays: number;
  readonly conversationDays: number;
  /** In bytes. */
  readonly gitCacheBytes: number;
  readonly metricsToken: string | null;
  /** Null when no mails are sent. */
  readonly smtp: SmtpSettings | null;
  readonly translators: TranslationSettings;
  /** Null without a language model. */
  readonly model: ModelSettings | null;
  /** Reads `OPENAPI_SECRET_…`. */
  readonly secretFor: OpenApiSecrets['secretFor'];
  readonly logLevel: LogLevel;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The process's environment, or one like it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All problems of the settings, each with the name, what is wrong and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the settings have problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads what the store needs. Throws `ConfigError`. */
export function loadStoreConfig(env: Environment): StoreConfig {
  const reader = new SettingsReader(env);
  const config = readStoreConfig(reader);
  reader.throwProblems();
  return Object.freeze(config);
}

/** Reads and checks all settings. Throws `ConfigError` with every problem at once. */
export function loadServerConfig(env: Environment): ServerConfig {
  const reader = new SettingsReader(env);
  const gitHubAddress = readGitHubAddress(reader);
  const { secretFor, malformed } = readOpenApiSecrets(reader.family('OPENAPI_SECRET_<NAME>'));
  for (const name of malformed)
    reader.problem(name, 'must be the hosts that it is for, a space, and the value of the header');
  const endpoint = readModelEndpoint(reader);
  const config: ServerConfig = {
    ...readStoreConfig(reader),
    ...readRole(reader),
    drainSeconds: reader.integer('DRAIN_SECONDS', { fallback: 0, min: 0, max: 300 }),
    host: reader.text('HOST') ?? '127.0.0.1',
    port: reader.port('PORT', 3000),
    publicUrl: reader.httpUrl('PUBLIC_URL'),
    sitesUrl: readSitesUrl(reader),
    trustedProxies: readTrustedProxies(reader),
    github: readGitHubConfig(reader, gitHubAddress),
    gitHubAddress,
    gitHubClient: readGitHubClient(reader),
    webhookSecrets: readWebhookSecrets(reader),
    reconcileSeconds: reader.integer('RECONCILE_SECONDS', { fallback: 300, min: 5, max: 86_400 }),
    retainDisconnectedDays:
      reader.text('DISCONNECTED_DAYS') === 'never'
        ? null
        : reader.integer('DISCONNECTED_DAYS', { fallback: 90, min: 1, max: 3_650 }),
    onboarding: reader.choice('ONBOARDING', ['on', 'off', 'wait'] as const, 'on'),
    allowedHosts: reader.list('ALLOWED_HOSTS'),
    platform: readPlatformConfig(reader),
    organizationId: reader.text('PLATFORM_ORGANIZATION'),
    syncSeconds: reader.integer('SYNC_SECONDS', { fallback: 15, min: 2, max: 3_600 }),
    gitCacheBytes: reader.count('GIT_CACHE_MB', 20_480) * 1024 ** 2,
    auditDays: reader.integer('AUDIT_DAYS', {
      fallback: RETENTION_DAYS.auditEvents,
      min: MIN_AUDIT_DAYS,
      max: 36_500,
    }),
    conversationDays: reader.integer('CONVERSATION_DAYS', {
      fallback: RETENTION_DAYS.conversations,
      min: 1,
      max: 36_500,
    }),
    metricsToken: reader.text('METRICS_TOKEN'),
    smtp: readSmtp(reader),
    translators: readTranslators(reader),
    model: readModel(reader, endpoint),
    secretFor,
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  reader.throwProblems();
  return Object.freeze(config);
}

function readStoreConfig(reader: SettingsReader): StoreConfig {
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

function readRole(reader: SettingsReader): Pick<ServerConfig, 'role' | 'queues'> {
  const role = reader.choice('ROLE', ROLES, 'all');
  const queues = reader.list('QUEUES');
  const unknown = queues.find((name) => !isQueueName(name));
  if (unknown !== undefined)
    reader.problem(
      'QUEUES',
      `has "${unknown}", but must have families of jobs (${JOB_FAMILIES.join(', ')}) or kinds such as sync.export`,
    );
  if (role === 'web' && queues.length > 0)
    reader.problem('QUEUES', 'is for workers, but ROLE is web: leave it out, or set ROLE to worker');
  return { role, queues };
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

function readGitHubConfig(
  reader: SettingsReader,
  address: ServerConfig['gitHubAddress'],
): GitHubConfig | null {
  const id = reader.text('APP_ID');
  if (id === null) return null;
  const appId = Number(id);
  if (!Number.isSafeInteger(appId) || appId < 1)
    reader.problem('APP_ID', "must be the App's number, as its settings page shows it");
  if (reader.text('WEBHOOK_SECRET') === null)
    reader.problem('WEBHOOK_SECRET', 'is missing: set it to the secret of the App’s webhook');
  return {
    appId,
    privateKey: readPrivateKey(reader),
    webhookSecrets: readWebhookSecrets(reader),
    ...address,
  };
}

/** An origin whose host begins with `*.`, and to which PUBLIC_URL does not belong: what users write is kept from there. */
function readSitesUrl(reader: SettingsReader): string | null {
  const value = reader.httpUrl('SITES_URL');
  if (value === null) return null;
  const url = new URL(value);
  const publicHost = URL.parse(reader.text('PUBLIC_URL') ?? '')?.hostname ?? '';
  if (!/^\*(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(url.hostname) || url.origin !== value) {
    reader.problem(
      'SITES_URL',
      'must be a wildcard host without a path, for example https://*.docs.example.com',
    );
  } else if (publicHost.endsWith(url.hostname.slice(1))) {
    reader.problem('SITES_URL', 'must not cover the host of PUBLIC_URL: choose another domain for sites');
  } else {
    return value;
  }
  return null;
}

function readGitHubClient(reader: SettingsReader): ServerConfig['gitHubClient'] {
  const [clientId, clientSecret] = [reader.text('GITHUB_CLIENT_ID'), reader.text('GITHUB_CLIENT_SECRET')];
  if (clientId !== null && clientSecret === null)
    reader.problem('GITHUB_CLIENT_SECRET', 'is missing: GITHUB_CLIENT_ID needs a client secret of the App');
  if (clientId === null && clientSecret !== null)
    reader.problem('GITHUB_CLIENT_ID', 'is missing: set it to the client ID that the App’s page shows');
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret };
}

/** The current one first. */
function readWebhookSecrets(reader: SettingsReader): readonly string[] {
  const secrets = [reader.text('WEBHOOK_SECRET'), reader.text('WEBHOOK_SECRET_PREVIOUS')];
  return secrets.filter((value) => value !== null);
}

function readGitHubAddress(reader: SettingsReader): ServerConfig['gitHubAddress'] {
  return {
    host: reader.text('GHE_HOST'),
    protocol: reader.choice('GHE_PROTOCOL', ['https', 'http'], 'https'),
  };
}

function readPrivateKey(reader: SettingsReader): string {
  const path = reader.text('PRIVATE_KEY_PATH');
  let key = reader.text('PRIVATE_KEY');
  if (key === null && path !== null) {
    try {
      key = readFileSync(path, 'utf8').trim();
    } catch {
      reader.problem(
        'PRIVATE_KEY_PATH',
        `names ${path}, which cannot be read: check the path and its permissions`,
      );
      return '';
    }
  }
  if (key === null) {
    reader.problem('PRIVATE_KEY', "is missing: set it, or PRIVATE_KEY_PATH, to the App's private key");
    return '';
  }
  // A variable is one line, so line breaks are often written as the two characters `\n`, or the whole key as base64.
  const pem = key.includes('-----BEGIN')
    ? key.replaceAll('\\n', '\n')
    : Buffer.from(key, 'base64').toString('utf8');
  if (!/-----BEGIN (RSA )?PRIVATE KEY-----/.test(pem)) {
    reader.problem(
      'PRIVATE_KEY',
      'is not a private key in PEM form: download a new one from the App’s settings page',
    );
  }
  return pem;
}

type ModelEndpoint = Pick<ModelSettings, 'url' | 'key' | 'model'>;

/** The endpoint of chat completions that everything with a model uses; null where none is set. */
function readModelEndpoint(reader: SettingsReader): ModelEndpoint | null {
  const [url, model] = [reader.httpUrl('OPENAI_URL'), reader.text('OPENAI_MODEL')];
  if (url !== null && model === null)
    reader.problem('OPENAI_MODEL', 'is missing: OPENAI_URL needs the name of a model');
  return url && model ? { url, model, key: reader.text('OPENAI_API_KEY') } : null;
}

function readModel(reader: SettingsReader, endpoint: ModelEndpoint | null): ModelSettings | null {
  const limits = {
    tokensPerDay: reader.count('OPENAI_TOKENS_PER_DAY', 1_000_000),
    timeoutMs: 1000 * reader.integer('OPENAI_TIMEOUT_SECONDS', { fallback: 30, min: 1, max: 240 }),
  };
  return endpoint === null ? null : { ...endpoint, ...limits };
}

function readTranslators(reader: SettingsReader): TranslationSettings {
  const deeplKey = reader.text('DEEPL_API_KEY');
  const libretranslate = reader.httpUrl('LIBRETRANSLATE_URL');
  return {
    deepl: deeplKey ? { url: reader.httpUrl('DEEPL_URL') ?? 'https://api.deepl.com', key: deeplKey } : null,
    libretranslate: libretranslate
      ? { url: libretranslate, key: reader.text('LIBRETRANSLATE_API_KEY') }
      : null,
    maxWords: reader.count('TRANSLATION_MAX_WORDS', 500_000),
    requestsPerMinute: reader.integer('TRANSLATION_REQUESTS_PER_MINUTE', {
      fallback: 60,
      min: 1,
      max: 100_000,
    }),
    timeoutMs: 1000 * reader.integer('TRANSLATION_TIMEOUT_SECONDS', { fallback: 120, min: 5, max: 240 }),
  };
}

function readTrustedProxies(reader: SettingsReader): readonly string[] {
  const proxies = reader.list('TRUSTED_PROXIES');
  for (const proxy of proxies) {
    const [address = '', bits, ...more] = proxy.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const isNetwork =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
    if (isIP(address) === 0 || !isNetwork || more.length > 0) {
      reader.problem(
        'TRUSTED_PROXIES',
        `has "${proxy}", but must have addresses or networks such as 10.0.0.0/8`,
      );
      return [];
    }
  }
  return proxies;
}

function readSmtp(reader: SettingsReader): SmtpSettings | null {
  const [url, sender] = [reader.text('SMTP_URL'), reader.text('SMTP_FROM')];
  if (url === null) return null;
  const server = parseSmtpUrl(url);
  const from = sender === null ? null : parseMailAddress(sender);
  if (server === null)
    reader.problem(
      'SMTP_URL',
      'must be smtp://user:password@host:587 or smtps://user:password@host:465, with special characters of the password percent-encoded',
    );
  if (from === null)
    reader.problem(
      'SMTP_FROM',
      sender === null
        ? 'is missing: SMTP_URL needs the address that mails come from'
        : 'must be an address such as docs@example.com or Docs <docs@example.com>',
    );
  return server === null || from === null ? null : { ...server, from };
}

function readPlatformConfig(reader: SettingsReader): ServerConfig['platform'] {
  const url = reader.httpUrl('PLATFORM_URL');
  const token = reader.text('PLATFORM_TOKEN');
  if (url === null) return null;
  if (token === null) {
    reader.problem(
      'PLATFORM_TOKEN',
      'is missing: PLATFORM_URL needs a token, made there with `docloom token create`',
    );
    return null;
  }
  return { url, token };
}

interface IntegerRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly what?: string;
}

/** Reads settings and collects their problems. */
class SettingsReader {
  readonly #env: Environment;
  readonly #problems: string[] = [];
  readonly #secrets = new Map<string, string | undefined>();
  /** Secrets whose variables have a problem already: one message about each is enough. */
  readonly #refused = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  problem(name: SettingName | `OPENAPI_SECRET_${string}`, what: string): void {
    if (!this.#refused.has(name)) this.#problems.push(`${name} ${what}`);
  }

  throwProblems(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }

  /** Empty counts as absent. */
  text(name: SettingName): string | null {
    const value = (SECRETS.has(name) ? this.#secret(name) : this.#env[name])?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** The variables of a setting whose name ends with a placeholder. */
  family(name: SettingName & `${string}<NAME>`): Environment {
    const names = listSecrets(this.#env, name.replace('<NAME>', ''));
    return Object.fromEntries(names.map((variable) => [variable, this.#secret(variable)]));
  }

  #secret(name: string): string | undefined {
    if (this.#secrets.has(name)) return this.#secrets.get(name);
    const reading = readSecret(this.#env, name);
    if ('problem' in reading) {
      this.#refused.add(name);
      this.#problems.push(`${reading.name} ${reading.problem}`);
    }
    const value = 'problem' in reading ? undefined : reading.value;
    this.#secrets.set(name, value);
    return value;
  }

  /** The variable with the name in lower case, as other programs read proxies; empty counts as absent. */
  lowerCase(name: SettingName): string | null {
    return this.#env[name.toLowerCase()]?.trim() || null;
  }

  /** The address of a proxy, which may have a password; that in lower case goes first, as elsewhere. */
  proxy(name: 'HTTPS_PROXY' | 'HTTP_PROXY'): string | null {
    const value = withScheme(this.lowerCase(name) ?? this.text(name));
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
    if (isAddress && url.search === '' && url.hash === '') return value;
    this.problem(
      name,
      'must be http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128, with special characters of the password percent-encoded',
    );
    return null;
  }

  list(name: SettingName): readonly string[] {
    return (this.text(name) ?? '').split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
  }

  port(name: SettingName, fallback: number): number {
    return this.integer(name, { fallback, min: 0, max: 65_535, what: 'a port' });
  }

  integer(name: SettingName, { fallback, min, max, what = 'a whole number' }: IntegerRange): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    this.problem(name, `is "${value}", but must be ${what} from ${min} to ${max}`);
    return fallback;
  }

  /** A whole number of at least 1. */
  count(name: SettingName, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const count = Number(value);
    if (Number.isSafeInteger(count) && count >= 1 && count <= 1_000_000_000) return count;
    this.problem(name, `is "${value}", but must be a whole number from 1 to 1000000000`);
    return fallback;
  }

  choice<const T extends string>(name: SettingName, allowed: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = allowed.find((item) => item === value.toLowerCase());
    if (found === undefined) this.problem(name, `is "${value}", but must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  /** An http or https address without credentials; returned without a trailing slash. */
  httpUrl(name: SettingName): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol)) {
      this.problem(name, 'must be an address that starts with https:// or http://');
    } else if (url.username !== '' || url.password !== '') {
      this.problem(name, 'must not contain a user name or password');
    } else {
      return url.href.replace(/\/$/, '');
    }
    return null;
  }
}
