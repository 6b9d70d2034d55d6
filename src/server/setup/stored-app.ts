import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RegisteredApp } from '../../github/index.ts';
import {
  type Database,
  deleteServerSecret,
  insertServerSecret,
  loadServerSecret,
  type Sealer,
  updateServerSecret,
  upsertServerSecret,
} from '../../store/index.ts';
import type { GitHubConfig } from '../config/index.ts';

/** An App that was set up in the browser, as it is stored encrypted in the database. */
const StoredApp = Type.Object({
  host: Type.Union([Type.String(), Type.Null()]),
  protocol: Type.Union([Type.Literal('https'), Type.Literal('http')]),
  appId: Type.Integer(),
  slug: Type.String(),
  name: Type.String(),
  url: Type.String(),
  owner: Type.String(),
  clientId: Type.String(),
  clientSecret: Type.String(),
  /** Whether people may be sent back here from GitHub when they sign in; Apps of releases before 0.2.0 have no such address. */
  signsIn: Type.Optional(Type.Boolean()),
  privateKey: Type.String(),
  /** The current one first, then earlier ones. */
  webhookSecrets: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 3 }),
  /** Until when the earlier ones are accepted (ISO 8601); absent while it is unknown which one GitHub uses. */
  earlierUntil: Type.Optional(Type.String()),
});
export type StoredApp = Static<typeof StoredApp>;
const check = Compile(StoredApp);

/** Null when there is none. @throws an error with one sentence when it cannot be read. */
export async function loadStoredApp(db: Database, sealer: Sealer): Promise<StoredApp | null> {
  const text = await loadServerSecret(db, sealer, 'github-app');
  return text === null ? null : parseApp(text);
}

function parseApp(text: string): StoredApp {
  const app: unknown = JSON.parse(text);
  if (!check.Check(app))
    throw new Error('The GitHub App in this database was stored by another version of Docloom.');
  return app;
}

/** Stores an App that was just registered. False when another one was stored first. */
export async function storeApp(db: Database, sealer: Sealer, app: RegisteredApp): Promise<boolean> {
  const { webhookSecret, ...rest } = app;
  const text = JSON.stringify({
    ...rest,
    signsIn: true,
    webhookSecrets: [webhookSecret],
  } satisfies StoredApp);
  if (await insertServerSecret(db, sealer, 'github-app', text)) return true;
  try {
    if ((await loadStoredApp(db, sealer)) !== null) return false;
  } catch {
    // The stored one can no longer be decrypted, so replacing it loses nothing.
    await upsertServerSecret(db, sealer, 'github-app', text);
  }
  return true;
}

/** Changes the stored App, unless it was removed or replaced in the meantime. */
export async function changeStoredApp(
  db: Database,
  sealer: Sealer,
  appId: number,
  change: (app: StoredApp) => StoredApp,
): Promise<void> {
  await updateServerSecret(db, sealer, 'github-app', (text) => {
    const app = parseApp(text);
    return app.appId === appId ? JSON.stringify(change(app)) : text;
  });
}

/** Removes the App and its keys. */
export async function deleteStoredApp(db: Database): Promise<void> {
  await deleteServerSecret(db, 'github-app');
}

export function credentialsOf(stored: StoredApp): GitHubConfig {
  const { appId, privateKey, host, protocol } = stored;
  return { appId, privateKey, webhookSecrets: acceptedSecrets(stored, new Date()), host, protocol };
}

/** The webhook secrets that deliveries may be signed with, the current one first. */
export function acceptedSecrets(
  { webhookSecrets, earlierUntil }: Pick<StoredApp, 'webhookSecrets' | 'earlierUntil'>,
  now: Date,
): readonly string[] {
  const counts = earlierUntil === undefined || now < new Date(earlierUntil);
  return counts ? webhookSecrets : webhookSecrets.slice(0, 1);
}
