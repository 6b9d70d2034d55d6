import {
  type AppAccess,
  type Connection,
  hostName,
  type Missing,
  readConnection,
  responseStatus,
  WEBHOOK_PATH,
} from '../../github/index.ts';
import type { GitHubConfig } from '../../server/config/index.ts';
import { type Diagnosis, diagnosesOf } from './diagnosis.ts';

/** GitHub refuses tokens whose start time differs by more than this from its own time. */
const MAX_SKEW_SECONDS = 60;
const NOTABLE_SKEW_SECONDS = 20;

/** Without these nothing useful works; the others only cost a feature. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'metadata',
  'contents',
  'checks',
  'statuses',
  'push',
  'pull_request',
]);

/** The command's calls stop with the process. */
const NEVER = { signal: new AbortController().signal };

/** The largest number of installations that are listed. */
const SHOWN = 50;
const DELIVERIES_READ = 100;

/** The App whose credentials are tried. */
export interface CheckedApp {
  readonly credentials: GitHubConfig;
  /** Whether it was set up in the browser, so that its keys are changed there. */
  readonly isOwn: boolean;
}

/** Checks the App as GitHub knows it: credentials, clock, permissions, installations, webhook. */
export async function checkApp(
  access: AppAccess,
  { credentials, isOwn }: CheckedApp,
  publicUrl: string,
): Promise<readonly Diagnosis[]> {
  const host = hostName(credentials);
  const app = diagnosesOf('app');
  let connection: Connection;
  try {
    connection = await readConnection(access, NEVER.signal);
  } catch (error) {
    const refusal = explainRefusal(error, credentials, isOwn ? `${publicUrl}/setup` : null);
    return responseStatus(error) === null ? [refusal] : [refusal, ...(await clockOf(access))];
  }
  const { name, owner, tier, installationCount } = connection;
  return [
    app.ok(
      `${host} knows the App as “${name}”${owner === '' ? '' : ` of ${owner}`} (${tier}), installed on ${installationCount === 1 ? '1 account' : `${installationCount} accounts`}.`,
    ),
    ...(await clockOf(access)),
    ...checkNeeds(connection, host),
    ...checkInstallations(connection),
    ...(await checkWebhook(access, publicUrl)),
    ...(await checkDeliveries(access, isOwn ? `${publicUrl}/setup` : null)),
  ];
}

/** `page`: where the App was set up in the browser; null if its credentials are settings. */
function explainRefusal(error: unknown, credentials: GitHubConfig, page: string | null): Diagnosis {
  const { appId } = credentials;
  const host = hostName(credentials);
  const app = diagnosesOf('app');
  const status = responseStatus(error);
  if (status === 401)
    return app.fail(
      `${host} does not accept the credentials of App ${appId}.`,
      page === null
        ? 'Is APP_ID the App’s id (not its client id), and PRIVATE_KEY one that its page still lists? Check the clock, too.'
        : `Was its private key deleted there? Generate another one on the App’s page and enter it at ${page}. Check the clock, too.`,
    );
  if (status === 404)
    return app.fail(
      `${host} knows no App ${appId}.`,
      page === null
        ? 'Was the App deleted, or does GHE_HOST name another server than the one that has it?'
        : `Was the App deleted? Then remove it at ${page}, and create another one there.`,
    );
  return app.fail(
    status === null
      ? `The API of ${host} cannot be reached from here.`
      : `${host} answered ${status} to the request for App ${appId}.`,
    page === null
      ? 'Check the network, name resolution and GHE_HOST, then try again.'
      : 'Check the network and name resolution, then try again.',
  );
}

/** This machine's clock compared with that of GitHub's answers. */
async function clockOf(access: AppAccess): Promise<readonly Diagnosis[]> {
  const before = Date.now();
  const header = await (await access.app(NEVER)).rest.apps.getAuthenticated().then(
    ({ headers }) => headers.date,
    (error: { response?: { headers?: { date?: string } } }) => error.response?.headers?.date,
  );
  if (header === undefined) return [];
  // The header has whole seconds; the middle of the call is the best estimate of when it was written.
  return [checkClock(((before + Date.now()) / 2 - Date.parse(header) - 500) / 1000)];
}

/** `skew`: by how many seconds this machine is ahead. */
export function checkClock(skew: number): Diagnosis {
  const clock = diagnosesOf('clock');
  const seconds = Math.round(Math.abs(skew));
  const message = `The clock is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} GitHub’s.`;
  const fix = 'Synchronize the machine’s clock over the network (NTP).';
  if (seconds > MAX_SKEW_SECONDS)
    return clock.fail(`${message} GitHub refuses the App’s calls from ${MAX_SKEW_SECONDS} s on.`, fix);
  if (seconds > NOTABLE_SKEW_SECONDS) return clock.warn(message, fix);
  return clock.ok(`The clock differs from GitHub’s by ${seconds} s.`);
}

function checkNeeds({ missing, url }: Connection, host: string): readonly Diagnosis[] {
  const permissions = diagnosesOf('permissions');
  const lacks = listMissing(missing);
  if (lacks.length === 0) return [permissions.ok('The App has every permission and event that it needs.')];
  return lacks.map(({ name, what, reason }) =>
    (ESSENTIAL.has(name) ? permissions.fail : permissions.warn)(
      `The App lacks ${what}. Without it this does not work: ${reason}`,
      `Add it in the App’s settings on ${host} (${url}), under “Permissions & events”; then every installation has to accept it.`,
    ),
  );
}

function listMissing({ permissions, events }: Missing) {
  return [
    ...permissions.map(({ name, level, reason }) => ({
      name,
      reason,
      what: `the permission ${name}: ${level === 'write' ? 'read and write' : 'read-only'}`,
    })),
    ...events.map(({ name, reason }) => ({ name, reason, what: `the event ${name}` })),
  ];
}

function checkInstallations({ installations, url, missing }: Connection): readonly Diagnosis[] {
  const check = diagnosesOf('installations');
  if (installations.length === 0)
    return [
      check.warn(
        'The App is installed nowhere, so no repository reaches Docloom.',
        `Open ${url}/installations/new.`,
      ),
    ];
  const ofApp = new Set(listMissing(missing).map(({ what }) => what));
  const findings = installations.slice(0, SHOWN).flatMap((installation) => {
    if (installation.suspended)
      return [
        check.warn(
          `The installation on ${installation.account} is suspended.`,
          `Unsuspend it at ${installation.url}.`,
        ),
      ];
    return listMissing(installation.missing)
      .filter(({ what }) => !ofApp.has(what))
      .map(({ name, what, reason }) =>
        (ESSENTIAL.has(name) ? check.fail : check.warn)(
          `${installation.account} has not granted ${what}. Without it this does not work: ${reason}`,
          `An owner of ${installation.account} accepts it at ${installation.url}.`,
        ),
      );
  });
  return findings.length > 0 ? findings : [check.ok('Every installation grants what the App needs.')];
}

async function checkWebhook(access: AppAccess, publicUrl: string): Promise<readonly Diagnosis[]> {
  const webhook = diagnosesOf('webhook');
  const expected = `${publicUrl}${WEBHOOK_PATH}`;
  const where = 'Change it in the App’s settings, under “Webhook”.';
  try {
    const { data } = await (await access.app(NEVER)).rest.apps.getWebhookConfigForApp();
    const findings: Diagnosis[] = [];
    if (!data.url)
      findings.push(webhook.fail('The App has no webhook address.', `${where} It is ${expected}.`));
    else if (data.url !== expected)
      findings.push(
        webhook.fail(
          `GitHub sends events to ${withoutCredentials(data.url)}, but the address of this server is ${publicUrl}.`,
          `Make it ${expected}, or set PUBLIC_URL to the address that the server really has.`,
        ),
      );
    if (!data.secret)
      findings.push(webhook.fail('The App’s webhook has no secret, so its deliveries are refused.', where));
    if (data.content_type !== undefined && data.content_type !== 'json')
      findings.push(
        webhook.fail(
          'The App’s webhook sends forms, which are refused.',
          `${where} Content type: application/json.`,
        ),
      );
    if (String(data.insecure_ssl ?? '0') !== '0')
      findings.push(
        webhook.warn(
          'GitHub does not verify this server’s certificate.',
          `${where} Enable SSL verification.`,
        ),
      );
    return findings.length > 0 ? findings : [webhook.ok(`GitHub sends events to ${expected}, signed.`)];
  } catch (error) {
    return [webhook.warn(`The webhook’s settings could not be read (${nameOf(error)}).`, 'Try again later.')];
  }
}

/** What the status of a delivery's response means. */
const CAUSES: Readonly<Record<number, string>> = {
  401: 'WEBHOOK_SECRET differs from the one in the App’s settings; while you change it, keep the old one in WEBHOOK_SECRET_PREVIOUS.',
  404: 'The webhook’s address leads to another program, or a proxy changes the path.',
  413: 'A proxy limits the size of requests: allow 25 MB.',
  415: 'Set the webhook’s content type to application/json.',
  502: 'GitHub could not connect: is the server running, and does PUBLIC_URL lead to it from the Internet?',
  503: 'The server was there without a GitHub App; check which settings it runs with.',
  504: 'The server, or a proxy before it, took longer than 10 seconds.',
};

function unlikeSecret(page: string): string {
  return `The webhook’s secret was changed in the App’s settings: press “New webhook secret” at ${page}.`;
}

async function checkDeliveries(access: AppAccess, page: string | null): Promise<readonly Diagnosis[]> {
  const check = diagnosesOf('deliveries');
  try {
    const { data } = await (await access.app(NEVER)).rest.apps.listWebhookDeliveries({
      per_page: DELIVERIES_READ,
    });
    const [latest] = data;
    if (latest === undefined) return [check.ok('GitHub has sent nothing in the last days.')];
    const failed = data.filter(({ status_code }) => status_code < 200 || status_code >= 300);
    const [last] = failed;
    if (last === undefined) return [check.ok(`The last ${data.length} deliveries arrived.`)];
    const message = `${failed.length} of the last ${data.length} deliveries failed, the latest at ${last.delivered_at}: ${last.status} (${last.status_code}).`;
    const causes = page === null ? CAUSES : { ...CAUSES, 401: unlikeSecret(page) };
    const fix = causes[last.status_code] ?? 'The server’s log says more under the delivery’s id.';
    return last === latest
      ? [check.fail(message, fix)]
      : [check.warn(`${message} Later ones arrived, and lost ones are requested again.`, fix)];
  } catch (error) {
    return [check.warn(`The deliveries could not be read (${nameOf(error)}).`, 'Try again later.')];
  }
}

function nameOf(error: unknown): string {
  const status = responseStatus(error);
  return status === null ? 'no answer' : `GitHub answered ${status}`;
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an invalid address' : `${url.origin}${url.pathname}`;
}
