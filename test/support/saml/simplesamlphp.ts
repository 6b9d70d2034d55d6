import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickPort } from '../pick-port.ts';
import { waitFor } from '../wait-for.ts';
import { createSigningKey } from './certificate.ts';

/** Where Debian's package puts it; `.ci/run` installs that and PHP. */
const PAGES = '/usr/share/simplesamlphp/www';

export const hasSimpleSamlPhp = existsSync(PAGES) && ['/usr/bin/php', '/usr/local/bin/php'].some(existsSync);

/** A service that may ask for sign-ins, as administrators enter it at their provider. */
export interface ServiceProvider {
  readonly entityID: string;
  readonly acsURL: string;
}

export interface RunningProvider {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificate: string;
  /** Signs people in for this service alone. */
  trust(service: ServiceProvider): Promise<void>;
  close(): Promise<void>;
}

/** SimpleSAMLphp as an identity provider with a single user, in a process of its own with a configuration of its own. */
export async function startSimpleSamlPhp(user: {
  readonly name: string;
  readonly password: string;
  readonly attributes: Readonly<Record<string, string>>;
}): Promise<RunningProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-simplesamlphp-'));
  const [config, metadata, certificates, site, sessions] = await Promise.all(
    ['config', 'metadata', 'cert', 'site', 'sessions', 'log', 'tmp', 'data'].map(async (name) => {
      const path = join(folder, name);
      await mkdir(path);
      return path;
    }),
  );
  if (!config || !metadata || !certificates || !site || !sessions) throw new Error('unreachable');
  await symlink(PAGES, join(site, 'simplesaml'));
  const port = await pickPort();
  // Another site than the service, which is at 127.0.0.1.
  const base = `http://localhost:${port}/simplesaml`;
  const key = createSigningKey('simplesamlphp');
  const writePhp = (path: string, code: string) => writeFile(path, `<?php\n${code}\n`);
  await writeFile(join(certificates, 'idp.pem'), key.privateKey);
  await writeFile(join(certificates, 'idp.crt'), key.certificate);
  await writePhp(
    join(config, 'config.php'),
    `$config = ${php({
      baseurlpath: `${base}/`,
      certdir: `${certificates}/`,
      loggingdir: `${join(folder, 'log')}/`,
      datadir: `${join(folder, 'data')}/`,
      tempdir: join(folder, 'tmp'),
      metadatadir: metadata,
      secretsalt: 'docloom-test',
      'auth.adminpassword': 'docloom-test',
      'enable.saml20-idp': true,
      'module.enable': { exampleauth: true, saml: true, core: true },
      'logging.handler': 'file',
      'logging.level': 7,
      'session.cookie.secure': false,
      'session.phpsession.savepath': sessions,
      'store.type': 'phpsession',
      'language.default': 'en',
      timezone: 'UTC',
    })};`,
  );
  await writePhp(
    join(config, 'authsources.php'),
    `$config = ${php({
      people: {
        0: 'exampleauth:UserPass',
        [`${user.name}:${user.password}`]: { uid: { 0: user.name }, ...lists(user.attributes) },
      },
    })};`,
  );
  await writePhp(
    join(metadata, 'saml20-idp-hosted.php'),
    `$metadata['__DYNAMIC:1__'] = ${php({
      host: '__DEFAULT__',
      privatekey: 'idp.pem',
      certificate: 'idp.crt',
      auth: 'people',
      'signature.algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    })};`,
  );
  await writePhp(join(metadata, 'saml20-sp-remote.php'), '');
  const output: string[] = [];
  const server = spawn('php', ['-d', 'opcache.enable=0', '-S', `localhost:${port}`, '-t', site], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: config },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (part) => output.push(String(part)));
  const entityId = `${base}/saml2/idp/metadata.php`;
  await waitFor(
    async () => (await fetch(entityId).catch(() => null))?.ok,
    () => `SimpleSAMLphp does not answer at ${entityId}: ${output.join('')}`,
  );
  return {
    entityId,
    ssoUrl: `${base}/saml2/idp/SSOService.php`,
    certificate: key.certificate,
    async trust({ entityID, acsURL }) {
      const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
      await writePhp(
        join(metadata, 'saml20-sp-remote.php'),
        `$metadata[${php(entityID)}] = ${php({
          AssertionConsumerService: acsURL,
          NameIDFormat: format,
          authproc: { 1: { class: 'saml:AttributeNameID', attribute: 'uid', Format: format } },
        })};`,
      );
    },
    async close() {
      await end(server);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}

function lists(attributes: Readonly<Record<string, string>>): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, { 0: value }]));
}

/** A value as PHP writes it. */
function php(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, one]) => `${phpKey(name)} => ${php(one)}`);
    return `[${entries.join(', ')}]`;
  }
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : String(value);
}

function phpKey(name: string): string {
  return /^\d+$/.test(name) ? name : php(name);
}
