import { createPrivateKey, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { changeWebhookSecret, hostName, isKeyOf, openAppAccess, responseStatus } from '../../github/index.ts';
import type { CallQueues } from '../../queue/index.ts';
import type { Database, Sealer } from '../../store/index.ts';
import { SetupProblem } from '../../web/index.ts';
import { toAppCredentials } from '../app-credentials.ts';
import type { AppSlot } from './app-slot.ts';
import { changeStoredApp, type StoredApp } from './stored-app.ts';

/** How long the previous secret is accepted: GitHub may have signed deliveries before it changed. */
const EARLIER_MS = 60 * 60_000;
/** How many secrets are accepted while it is unknown which one GitHub uses. */
const MAX_SECRETS = 3;

interface KeyChangeParts {
  readonly slot: AppSlot;
  readonly db: Database;
  readonly sealer: Sealer;
  readonly callQueues: CallQueues;
}

/**
 * Sets a new secret for the webhook, here first and then at GitHub, so that all processes accept every delivery in between.
 * The previous one is accepted for another hour.
 * @throws {SetupProblem} when GitHub refuses it, or does not answer.
 */
export async function changeSecret({ slot, db, sealer }: KeyChangeParts): Promise<void> {
  const { app, stored } = requireStored(slot);
  const secret = randomBytes(32).toString('hex');
  const store = async (change: (app: StoredApp) => StoredApp) => {
    await changeStoredApp(db, sealer, stored.appId, change);
    await slot.reload();
  };
  await store(({ earlierUntil: _, ...known }) => ({
    ...known,
    webhookSecrets: [secret, ...known.webhookSecrets].slice(0, MAX_SECRETS),
  }));
  try {
    await changeWebhookSecret(app.access, secret);
  } catch (error) {
    const status = responseStatus(error);
    if (status === null || status >= 500)
      throw new SetupProblem(
        `${hostName(stored)} did not confirm the new secret. The old and the new one are accepted for now; try again later.`,
      );
    await store((known) => ({
      ...known,
      webhookSecrets: known.webhookSecrets.filter((candidate) => candidate !== secret),
      ...(stored.earlierUntil !== undefined && { earlierUntil: stored.earlierUntil }),
    }));
    throw new SetupProblem(
      `${hostName(stored)} answered ${status}, so the old secret stays in use and is still accepted.`,
    );
  }
  const earlierUntil = new Date(Date.now() + EARLIER_MS).toISOString();
  await store((known) => ({ ...known, earlierUntil }));
}

/**
 * Replaces the App's private key, after GitHub accepted a signature made with the new one.
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
    throw new SetupProblem(
      `${hostName(stored)} ${why}, so the key could not be tried. The old one stays in use.`,
    );
  }
  if (!isOurs)
    throw new SetupProblem(
      `${hostName(stored)} does not accept this key for the App ${stored.name}. Generate one on the App’s page, under “Private keys”. The old one stays in use.`,
    );
  await changeStoredApp(db, sealer, stored.appId, (known) => ({ ...known, privateKey }));
  await slot.reload();
}

function requireStored(slot: AppSlot) {
  const [app, occupant] = [slot.app(), slot.occupant()];
  if (app === null || occupant === null) throw new SetupProblem('This server has no GitHub App any more.');
  const { stored, credentials } = occupant;
  if (stored === null)
    throw new SetupProblem(
      'This App’s keys come from the settings of the server: change them there and restart it.',
    );
  return { app, stored, credentials };
}

function readKey(pem: string): string {
  const text = pem.trim();
  try {
    if (createPrivateKey(text).asymmetricKeyType === 'rsa') return `${text}\n`;
  } catch {
    // Reported below.
  }
  throw new SetupProblem(
    'This is not a private key. Paste the whole file that GitHub downloaded, from -----BEGIN to END-----.',
  );
}
