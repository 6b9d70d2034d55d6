import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ForgeContext, PendingApp } from '../forge-context.ts';
import type { ActiveApp, ForgeApp } from '../state/records.ts';

/** GitHub's limit for an App's name. */
const MAX_NAME = 34;
/** A code counts once, and for one hour. https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
const CODE_LIFE_MS = 60 * 60 * 1000;

const Address = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2000 });
const Level = Type.Union([Type.Literal('read'), Type.Literal('write')]);

/** What an App is registered from. Fields that the forge has no use for are let be. */
export const Manifest = Type.Object({
  name: Type.Optional(Type.String()),
  url: Address,
  hook_attributes: Type.Optional(Type.Object({ url: Address, active: Type.Optional(Type.Boolean()) })),
  redirect_url: Address,
  setup_url: Type.Optional(Address),
  public: Type.Optional(Type.Boolean()),
  default_permissions: Type.Optional(Type.Record(Type.String(), Level)),
  default_events: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});
export type Manifest = Static<typeof Manifest>;

/** Parses what a form sent; null for what is no manifest. */
export function parseManifest(text: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Manifest, value) ? value : null;
  } catch {
    return null;
  }
}

/** What is wrong with an App's name, or null. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '' || name.length > MAX_NAME) return `Name must have 1 to ${MAX_NAME} characters.`;
  return slugOf(name) === '' ? 'Name must have a letter or digit.' : null;
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Registers an App, and answers the code for which its secrets are handed out once. */
export async function registerApp(
  context: ForgeContext,
  wanted: { readonly name: string; readonly owner: string; readonly manifest: Manifest },
): Promise<string> {
  const { manifest } = wanted;
  const { publicKey, privateKey } = await makeKeys();
  const app = {
    id: context.nextId(),
    slug: slugOf(wanted.name),
    name: wanted.name.trim(),
    owner: wanted.owner,
    publicKeyPem: publicKey,
    webhookUrl: manifest.hook_attributes?.url ?? manifest.url,
    webhookSecret: randomBytes(20).toString('hex'),
    permissions: { metadata: 'read' as const, ...manifest.default_permissions },
    events: manifest.default_events ?? [],
    setupUrl: manifest.setup_url ?? '',
  };
  // Installations of the App before are not this one's.
  context.data.installations = [];
  context.register(app);
  context.data.app = app;
  const code = randomBytes(20).toString('hex');
  const pending: PendingApp = {
    privateKey,
    clientSecret: randomBytes(20).toString('hex'),
    until: context.now().getTime() + CODE_LIFE_MS,
  };
  context.pendingApps.set(code, pending);
  await context.save();
  return code;
}

function makeKeys(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

/** Makes another private key for the App, in PEM; those before it go on counting. */
export async function addPrivateKey(context: ForgeContext, app: ActiveApp): Promise<string> {
  const { publicKey, privateKey } = await makeKeys();
  await changeApp(context, { laterKeys: [...app.laterKeys, publicKey] });
  return privateKey;
}

/** Changes the registration of the App. */
export async function changeApp(context: ForgeContext, change: Partial<ForgeApp>): Promise<void> {
  const { app, data } = context;
  if (app === null) return;
  context.register({ ...app, ...change });
  // One that was not registered from a manifest is given again at the next start.
  if (data.app !== undefined) data.app = { ...data.app, ...change };
  await context.save();
}

/** The App and its secrets for a code, which counts no more after that; null for a code that does not count. */
export function claimPendingApp(
  context: ForgeContext,
  code: string,
): (PendingApp & { readonly app: ActiveApp }) | null {
  const pending = context.pendingApps.get(code);
  context.pendingApps.delete(code);
  const { app } = context;
  return pending && app && pending.until > context.now().getTime() ? { ...pending, app } : null;
}
