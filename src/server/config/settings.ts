/** The environment variables of `docloom serve` and of the commands that open its store. */

/** The process's environment, or one like it. */
export type Environment = Readonly<Record<string, string | undefined>>;

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

/** Settings that are never printed. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(
  SETTINGS.flatMap((setting) => ('secret' in setting ? [setting.name] : [])),
);
