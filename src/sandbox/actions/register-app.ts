import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ForgeContext, PendingApp } from '../forge-context.ts';
import type { ActiveApp, ForgeApp } from '../state/records.ts';
import { hashSecret } from './authorize-user.ts';

/** GitHub's limit for an App's name. */
const MAX_NAME = 34;
/** A code is valid once, and for one hour. https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
const CODE_LIFE_MS = 60 * 60 * 1000;

const Address = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2000 });
const Level = Type.Union([Type.Literal('read'), Type.Literal('write')]);

/** The manifest of an App. Fields that the forge does not use are ignored. */
export const Manifest = Type.Object({
  name: Type.Optional(Type.String()),
  url: Address,
  hook_attributes: Type.Optional(Type.Object({ url: Address, active: Type.Optional(Type.Boolean()) })),
  redirect_url: Address,
  setup_url: Type.Optional(Address),
  callback_urls: Type.Optional(Type.Array(Address, { maxItems: 10 })),
  public: Type.Optional(Type.Boolean()),
  default_permissions: Type.Optional(Type.Record(Type.String(), Level)),
  default_events: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});
export type Manifest = Static<typeof Manifest>;

/** Parses the manifest in a form; null when it is not valid. */
export function parseManifest(text: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Manifest, value) ? value : null;
  } catch {
    return null;
  }
}

/** The problem with an App's name, or null. */
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

/** Registers an App, and returns the code that is exchanged for its secrets once. */
export async function registerApp(
  context: ForgeContext,
  registration: { readonly name: string; readonly owner: string; readonly manifest: Manifest },
): Promise<string> {
  const { manifest } = registration;
  const { publicKey, privateKey } = await generateKeys();
  const clientSecret = randomBytes(20).toString('hex');
  const app = {
    id: context.nextId(),
    slug: slugOf(registration.name),
    name: registration.name.trim(),
    owner: registration.owner,
    publicKeyPem: publicKey,
    webhookUrl: manifest.hook_attributes?.url ?? manifest.url,
    webhookSecret: randomBytes(20).toString('hex'),
    permissions: { metadata: 'read' as const, ...manifest.default_permissions },
    events: manifest.default_events ?? [],
    setupUrl: manifest.setup_url ?? '',
    callbackUrls: manifest.callback_urls ?? [],
    clientSecretHash: hashSecret(clientSecret),
  };
  // Installations of an earlier App are not those of the new one.
  context.data.installations = [];
  context.register(app);
  context.data.app = app;
  const code = randomBytes(20).toString('hex');
  const pending: PendingApp = {
    privateKey,
    clientSecret,
    until: context.now().getTime() + CODE_LIFE_MS,
  };
  context.pendingApps.set(code, pending);
  await context.save();
  return code;
}

function generateKeys(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

/** Creates another private key for the App, in PEM; earlier keys stay valid. */
export async function addPrivateKey(context: ForgeContext, app: ActiveApp): Promise<string> {
  const { publicKey, privateKey } = await generateKeys();
  await changeApp(context, { laterKeys: [...app.laterKeys, publicKey] });
  return privateKey;
}

/** Changes the registration of the App. */
export async function changeApp(context: ForgeContext, change: Partial<ForgeApp>): Promise<void> {
  const { app, data } = context;
  if (app === null) return;
  context.register({ ...app, ...change });
  // An App that was not registered from a manifest is configured again at the next start.
  if (data.app !== undefined) data.app = { ...data.app, ...change };
  await context.save();
}

/** Exchanges a code, once, for the App and its secrets; null for an invalid code. */
export function claimPendingApp(
  context: ForgeContext,
  code: string,
): (PendingApp & { readonly app: ActiveApp }) | null {
  const pending = context.pendingApps.get(code);
  context.pendingApps.delete(code);
  const { app } = context;
  return pending && app && pending.until > context.now().getTime() ? { ...pending, app } : null;
}
