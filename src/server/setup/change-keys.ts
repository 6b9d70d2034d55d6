import { createPrivateKey, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { changeWebhookSecret, hostName, isKeyOf, openAppAccess, responseStatus } from '../../github/index.ts';
import type { CallQueues } from '../../queue/index.ts';
import type { Database, Sealer } from '../../store/index.ts';
import { SetupProblem } from '../../web/index.ts';
import { toAppCredentials } from '../app-credentials.ts';
import type { AppSlot } from './app-slot.ts';
import { changeStoredApp, type StoredApp } from './stored-app.ts';

/** So long deliveries may be on their way that GitHub signed before the secret changed. */
const EARLIER_MS = 60 * 60_000;
/** The newest ones that may be in force at GitHub while it is not known which. */
const KEPT_SECRETS = 3;

interface KeyChangeParts {
  readonly slot: AppSlot;
  readonly db: Database;
  readonly sealer: Sealer;
  readonly callQueues: CallQueues;
}

/**
 * Gives the webhook a new secret, here first and then at GitHub, so that every delivery in between fits one that is
 * accepted, in all processes. The one before is accepted for an hour more.
 * @throws {SetupProblem} when GitHub does not take it, or does not answer.
 */
export async function changeSecret({ slot, db, sealer }: KeyChangeParts): Promise<void> {
  const { app, stored } = requireStored(slot);
  const secret = randomBytes(32).toString('hex');
  const keep = async (change: (app: StoredApp) => StoredApp) => {
    await changeStoredApp(db, sealer, stored.appId, change);
    await slot.reload();
  };
  await keep(({ earlierUntil: _, ...one }) => ({
    ...one,
    webhookSecrets: [secret, ...one.webhookSecrets].slice(0, KEPT_SECRETS),
  }));
  try {
    await changeWebhookSecret(app.access, secret);
  } catch (error) {
    const status = responseStatus(error);
    if (status === null || status >= 500)
      throw new SetupProblem(
        `${hostName(stored)} did not say whether it took the new secret. The old and the new one are accepted meanwhile; try again in a while.`,
      );
    await keep((one) => ({
      ...one,
      webhookSecrets: one.webhookSecrets.filter((known) => known !== secret),
      ...(stored.earlierUntil !== undefined && { earlierUntil: stored.earlierUntil }),
    }));
    throw new SetupProblem(
      `${hostName(stored)} answered ${status}, so the old secret stays in use and is still accepted.`,
    );
  }
  const earlierUntil = new Date(Date.now() + EARLIER_MS).toISOString();
  await keep((one) => ({ ...one, earlierUntil }));
}

/**
 * Works with another private key of the App from now on, once GitHub took a signature made with it.
 * @throws {SetupProblem}
 */
export async function changePrivateKey(
  { slot, db, sealer, callQueues }: KeyChangeParts,
  pem: string,
): Promise<void> {
  const { credentials, stored } = requireStored(slot);
  const privateKey = readKey(pem);
  const access = openAppAccess(
    toAppCredentials({ ...credentials, privateKey }),
    callQueues,
    pino({ level: 'silent' }),
  );
  let isOurs: boolean;
  try {
    isOurs = await isKeyOf(access, stored.appId);
  } catch (error) {
    const status = responseStatus(error);
    const why = status === null ? 'could not be reached' : `answered ${status}`;
    throw new SetupProblem(`${hostName(stored)} ${why}, so the key could not be tried. The old one stays.`);
  }
  if (!isOurs)
    throw new SetupProblem(
      `${hostName(stored)} does not take this key for the App ${stored.name}. Generate one on the App’s page, under “Private keys”. The old one stays.`,
    );
  await changeStoredApp(db, sealer, stored.appId, (one) => ({ ...one, privateKey }));
  await slot.reload();
}

function requireStored(slot: AppSlot) {
  const [app, occupant] = [slot.app(), slot.occupant()];
  if (app === null || occupant === null) throw new SetupProblem('This server has no GitHub App any more.');
  const { stored, credentials } = occupant;
  if (stored === null)
    throw new SetupProblem(
      'This App’s keys come from the settings of the server: change them there and start it anew.',
    );
  return { app, stored, credentials };
}

function readKey(pem: string): string {
  const text = pem.trim();
  try {
    if (createPrivateKey(text).asymmetricKeyType === 'rsa') return `${text}\n`;
  } catch {
    // Told below.
  }
  throw new SetupProblem(
    'This is no private key. Paste the whole file that GitHub downloaded, from -----BEGIN to END-----.',
  );
}
