import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Forge, startForge } from '../../sandbox/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { loadCredentials, type SandboxCredentials, writePrivate } from '../sandbox/credentials.ts';

export interface SandboxOptions {
  readonly port: string;
  readonly dataDir: string;
  readonly webhookUrl: string;
  /** False: the App is to be created from its manifest. */
  readonly app?: boolean;
}

/** What the forge logs for a webhook that could not be delivered, and what that means here. */
const UNREACHED = 'failed to connect to host';
const HINT = ' (docloom serve does not run there yet)';

/** The sandbox's only user, and its first repository. */
const LOGIN = 'me';
const REPOSITORY = 'docs';

/** `docloom sandbox`: runs until it is stopped. The same folder restores the same repositories, App and user. */
export async function runSandbox(options: SandboxOptions, io: CommandIo): Promise<ExitCode> {
  const dataDir = resolve(io.cwd, options.dataDir);
  const webhookUrl = parseWebhookUrl(options.webhookUrl);
  const port = parsePort(options.port);
  await prepareFolder(dataDir, '--data-dir');
  const withApp = options.app !== false;
  const credentials = await loadCredentials(dataDir);
  const forge = await startForge({
    port,
    dataDir: join(dataDir, 'forge'),
    ...(withApp && { app: { id: credentials.appId, ...credentials, webhookUrl: webhookUrl.href } }),
    log: (line) => io.stdout.write(`${line}${line.endsWith(UNREACHED) ? HINT : ''}\n`),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new UsageError(
      `Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
    );
  });
  try {
    await furnish(forge, withApp);
    const access = await storeToken(forge, dataDir);
    const settings = serveSettings(forge, withApp ? credentials : null, webhookUrl);
    const settingsFile = join(dataDir, 'docloom.env');
    await writePrivate(settingsFile, settings.map(([name, value]) => `${name}=${quote(value)}\n`).join(''));
    io.stdout.write(welcome(forge, webhookUrl, settings, settingsFile, access));
    if (!io.signal.aborted) await once(io.signal, 'abort');
  } finally {
    await forge.stop();
  }
  return 0;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port ${text} is not a port: pass a number from 0 (any free one) to 65535.`);
}

function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new UsageError(
    `--webhook-url ${text} is not an http address: pass the one where docloom serve receives webhooks.`,
  );
}

/** An empty sandbox gets a repository, with the App installed on it if there is one. */
async function furnish(forge: Forge, withApp: boolean): Promise<void> {
  if (forge.repositories().length > 0) return;
  await forge.createRepository({ owner: LOGIN, name: REPOSITORY });
  if (withApp) forge.installApp({ owner: LOGIN, repositories: 'all' });
}

/** Files that contain the user's token. */
interface AccessFiles {
  /** For git's own credential helper. */
  readonly git: string;
  /** For curl. */
  readonly netrc: string;
}

/** Writes the user's token where git and curl read it themselves, so that it appears in no command line. */
async function storeToken(forge: Forge, dataDir: string): Promise<AccessFiles> {
  const file = join(dataDir, 'git-credentials');
  const netrc = join(dataDir, 'netrc');
  const known = await readFile(file, 'utf8').catch(() => '');
  const before = URL.canParse(known.trim()) ? new URL(known.trim()).password : '';
  const token = forge.knowsToken(before) ? before : forge.createUser(LOGIN).token;
  const url = new URL(forge.url);
  url.username = LOGIN;
  url.password = token;
  await writePrivate(file, `${url.href.replace(/\/$/, '')}\n`);
  await writePrivate(netrc, `machine ${url.hostname} login ${LOGIN} password ${token}\n`);
  return { git: file, netrc };
}

function serveSettings(
  forge: Forge,
  credentials: SandboxCredentials | null,
  webhookUrl: URL,
): readonly (readonly [name: string, value: string])[] {
  const { host } = new URL(forge.url);
  return [
    ...(credentials === null
      ? []
      : ([
          ['APP_ID', String(credentials.appId)],
          ['PRIVATE_KEY_PATH', credentials.privateKeyPath],
          ['WEBHOOK_SECRET', credentials.webhookSecret],
        ] as const)),
    ['GHE_HOST', host],
    ['GHE_PROTOCOL', 'http'],
    ['ALLOWED_HOSTS', host],
    ['PORT', webhookUrl.port || (webhookUrl.protocol === 'https:' ? '443' : '80')],
    ['PUBLIC_URL', webhookUrl.origin],
  ];
}

/** Quotes a word for a POSIX shell. */
function quote(value: string): string {
  return /^[\w./:@%+,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function welcome(
  forge: Forge,
  webhookUrl: URL,
  settings: readonly (readonly [string, string])[],
  settingsFile: string,
  access: AccessFiles,
): string {
  const helper = quote(`store --file ${quote(access.git)}`);
  const repositories = forge.repositories();
  const clones = repositories.map(
    (repository) => `  git clone -c credential.helper=${helper} ${repository.cloneUrl}`,
  );
  // By its path: the command may not be on the PATH, least of all in another folder. npx starts it through a link of its own.
  const script = process.argv[1];
  const command = `node ${quote(script === undefined ? 'dist/cli/main.js' : realpathSync(script))}`;
  const name = repositories[0]?.fullName ?? `${LOGIN}/${REPOSITORY}`;
  const setUp = settings.some(([setting]) => setting === 'APP_ID')
    ? ''
    : `
Its log prints an address with setup?key=: open that, make the App, and install it on ${LOGIN}.
`;
  return `The sandbox is at ${forge.url}

Settings for docloom serve, also stored in ${settingsFile}:
${settings.map(([setting, value]) => `  export ${setting}=${quote(value)}`).join('\n')}

In another terminal:
  set -a; . ${quote(settingsFile)}; set +a; ${command} serve
${setUp}
Then clone, commit and push:
${clones.join('\n')}

And open a pull request, after you pushed a branch (my-branch here):
  curl -s --netrc-file ${quote(access.netrc)} ${forge.apiUrl}/repos/${name}/pulls \\
    -d '{"title": "My change", "head": "my-branch", "base": "main"}' \\
    | grep -oE '"(html_url|message)":"[^"]*"' | head -1

See statuses and checks at ${forge.url}/${name}, and what is published at ${webhookUrl.origin};
sign in there with a token, created in the folder where docloom serve runs:
  ${command} token create --name me --role admin

User ${LOGIN}; its token is in ${access.git}. Press Ctrl+C to stop; the next start restores all of this.
`;
}
