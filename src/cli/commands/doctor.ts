import { pino } from 'pino';
import { openAppAccess } from '../../github/index.ts';
import { isMailAddress } from '../../identity/index.ts';
import { useProxies } from '../../net/index.ts';
import { openCallQueues } from '../../queue/index.ts';
import {
  ConfigError,
  loadServerConfig,
  loadStoreConfig,
  type ServerConfig,
  type StoreConfig,
} from '../../server/config/index.ts';
import {
  acceptedSecrets,
  credentialsOf,
  loadStoredApp,
  type StoredApp,
  toAppCredentials,
} from '../../server/index.ts';
import {
  countRepositories,
  type Database,
  findOtherKey,
  hasTrigrams,
  openSealer,
  openStore,
} from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { checkApp } from '../doctor/check-app.ts';
import { checkDataFolder, checkPrograms } from '../doctor/check-machine.ts';
import { checkMail } from '../doctor/check-mail.ts';
import { checkObjects } from '../doctor/check-objects.ts';
import { checkPlatform, checkPublicUrl } from '../doctor/check-platform.ts';
import { type Diagnosis, diagnosesOf, formatDiagnosis } from '../doctor/diagnosis.ts';

/** `docloom doctor`: checks everything that `docloom serve` needs with the same settings, and changes nothing; with `mailTo` it sends a test mail. */
export async function runDoctor(
  options: { readonly json?: boolean; readonly mailTo?: string | null },
  io: CommandIo,
): Promise<ExitCode> {
  const mailTo = options.mailTo ?? null;
  if (mailTo !== null && !isMailAddress(mailTo))
    throw new UsageError(`--mail-to is "${mailTo}", but must be an e-mail address.`);
  const found: Diagnosis[] = [];
  const report = (findings: readonly Diagnosis[]) => {
    found.push(...findings);
    if (!options.json) for (const finding of findings) io.stdout.write(formatDiagnosis(finding));
  };
  report(await checkPrograms());
  const { store, server, findings } = readSettings(io.env);
  report(findings);
  if (store !== null) {
    const folder = await checkDataFolder(store.dataDir);
    report(folder.findings);
    const isNew = store.databaseUrl === null && !folder.exists;
    if (isNew) report([diagnosesOf('database').ok('The embedded database is made at the first start.')]);
    const stored = isNew ? { app: null } : await checkDatabase(store, report);
    if (server !== null) {
      await checkOutside(server, stored, report);
      report(await checkMail(server, mailTo));
    }
  }
  if (options.json) io.stdout.write(`${JSON.stringify(found)}\n`);
  else io.stdout.write(`\n${summarise(found)}\n`);
  return found.some(({ level }) => level === 'fail') ? 1 : 0;
}

function readSettings(env: CommandIo['env']): {
  readonly store: StoreConfig | null;
  readonly server: ServerConfig | null;
  readonly findings: readonly Diagnosis[];
} {
  const settings = diagnosesOf('settings');
  try {
    const server = loadServerConfig(env);
    return { store: server, server, findings: [settings.ok('The settings can be read.')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'docs/configuration.md has every setting.';
    return {
      store: tryStore(env),
      server: null,
      findings: error.problems.map((problem) => settings.fail(`${problem}.`, fix)),
    };
  }
}

function tryStore(env: CommandIo['env']): StoreConfig | null {
  try {
    const config = loadStoreConfig(env);
    useProxies(config.proxies);
    return config;
  } catch {
    return null;
  }
}

/** The App stored in the database, if there is one. */
interface StoredSetup {
  readonly app: StoredApp | null;
}

/** Opens the database and returns the App stored in it; null when it cannot be read, which has been reported. */
async function checkDatabase(
  { dataDir, databaseUrl, databaseDirectUrl, secretKey, blobs: { objects } }: StoreConfig,
  report: (findings: readonly Diagnosis[]) => void,
): Promise<StoredSetup | null> {
  const check = diagnosesOf('database');
  let opened: Awaited<ReturnType<typeof openStore>>;
  try {
    opened = await openStore({
      dataDir,
      databaseUrl,
      databaseDirectUrl,
      poolSize: 2,
    });
  } catch (error) {
    report([check.fail((error as Error).message, 'Check DATABASE_URL, or DATA_DIR for the embedded one.')]);
    return null;
  }
  try {
    const repositories = await countRepositories(opened.db);
    const kind = opened.kind === 'embedded' ? 'The embedded database' : 'The database of DATABASE_URL';
    report([
      check.ok(
        `${kind} answers and is up to date; ${repositories === 1 ? '1 repository reaches' : `${repositories} repositories reach`} it.`,
      ),
    ]);
    report([await checkSearch(opened.db)]);
    if (objects !== null) report([await checkObjects({ objects, dataDir, db: opened.db })]);
    const sealer = openSealer({ dataDir, secretKey: secretKey ?? undefined });
    const otherKey = await findOtherKey(opened.db, sealer);
    if (otherKey !== null) {
      report([diagnosesOf('key').fail(otherKey, 'docloom serve does not start with this key.')]);
      return null;
    }
    return { app: await loadStoredApp(opened.db, sealer) };
  } catch (error) {
    report([
      diagnosesOf('app').fail(
        `The App stored in the database cannot be read: ${(error as Error).message}`,
        'Bring the key back, or open /setup to make another App.',
      ),
    ]);
    return null;
  } finally {
    await opened.close();
  }
}

async function checkSearch(db: Database): Promise<Diagnosis> {
  const check = diagnosesOf('search');
  if (await hasTrigrams(db)) return check.ok('Searches of sites find mistyped words.');
  return check.warn(
    'Searches of sites do not find mistyped words, because the database has no pg_trgm.',
    'Allow its user to create extensions, or run CREATE EXTENSION pg_trgm there as an administrator; then start docloom serve again.',
  );
}

async function checkOutside(
  config: ServerConfig,
  stored: StoredSetup | null,
  report: (findings: readonly Diagnosis[]) => void,
): Promise<void> {
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  report(await checkPublicUrl(config, publicUrl));
  report(await checkPlatform(config));
  if (config.github === null && stored === null) return;
  const isOwn = config.github === null;
  const credentials = config.github ?? (stored?.app ? credentialsOf(stored.app) : null);
  if (credentials === null) {
    const fix = `Start docloom serve, and open the address with setup?key= that its log prints; who is signed in as an administrator opens ${publicUrl}/setup.`;
    return report([diagnosesOf('app').warn('There is no GitHub App yet.', fix)]);
  }
  const callQueues = openCallQueues();
  try {
    const access = openAppAccess(toAppCredentials(credentials), callQueues, pino({ level: 'silent' }));
    if (isOwn && stored?.app) report(checkKeys(stored.app, publicUrl));
    report(await checkApp(access, { credentials, isOwn }, publicUrl));
  } catch (error) {
    report([
      diagnosesOf('app').fail((error as Error).message, 'Set it anew, then run docloom doctor again.'),
    ]);
  } finally {
    callQueues.close();
  }
}

/** For an App that was set up in the browser: whether its webhook secret is being changed. */
function checkKeys(app: StoredApp, publicUrl: string): readonly Diagnosis[] {
  const check = diagnosesOf('keys');
  if (acceptedSecrets(app, new Date()).length === 1)
    return [check.ok(`The App’s keys were set up in the browser; ${publicUrl}/setup changes them.`)];
  if (app.earlierUntil !== undefined)
    return [
      check.ok(`The webhook has a new secret; the previous one is accepted until ${app.earlierUntil}.`),
    ];
  return [
    check.warn(
      'GitHub did not say whether it accepted a new webhook secret, so the earlier one is accepted, too.',
      `Press “New webhook secret” at ${publicUrl}/setup again.`,
    ),
  ];
}

function summarise(found: readonly Diagnosis[]): string {
  const count = (level: Diagnosis['level']) => found.filter((finding) => finding.level === level).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed > 0) return `${failed} to fix${warned > 0 ? `, ${warned} to know of` : ''}.`;
  return warned > 0 ? `All works; ${warned} to know of.` : 'All is well.';
}
