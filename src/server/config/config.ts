/** The settings of `docloom serve` and of the commands that open its store: read here, checked before anything opens. */

import type { GitHubAddress } from '../../github/index.ts';
import { parseMailAddress, parseSmtpUrl, type SmtpSettings } from '../../identity/index.ts';
import type { ModelSettings, TranslationSettings } from '../../platform/index.ts';
import { MIN_AUDIT_DAYS, RETENTION_DAYS } from '../../store/index.ts';
import { isQueueName, JOB_FAMILIES, type ProcessRole, ROLES } from '../roles.ts';
import { readSitesUrl, readTrustedProxies } from './address-settings.ts';
import {
  type GitHubConfig,
  readGitHubAddress,
  readGitHubClient,
  readGitHubConfig,
  readWebhookSecrets,
  type SignInClient,
} from './github-settings.ts';
import { readModel, readModelEndpoint, readTranslators } from './model-settings.ts';
import { type OpenApiSecrets, readOpenApiSecrets } from './openapi-secrets.ts';
import type { Environment } from './settings.ts';
import { SettingsReader } from './settings-reader.ts';
import { readStoreConfig, type StoreConfig } from './store-settings.ts';

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
  readonly gitHubAddress: GitHubAddress;
  /** With which people sign in; null for those of the App that was set up in the browser. */
  readonly gitHubClient: SignInClient | null;
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
