import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadServerConfig } from '../../src/server/config/config.ts';
import { SETTINGS } from '../../src/server/config/settings.ts';
import { ConfigError } from '../../src/server/config/settings-reader.ts';

const pem = '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----';
const app = { APP_ID: '7', PRIVATE_KEY: pem, WEBHOOK_SECRET: 'w' };

describe('loadServerConfig', () => {
  it('starts with nothing set', () => {
    const config = loadServerConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      github: null,
      platform: null,
      logLevel: 'info',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['as it is', pem],
    ['with its line breaks escaped', pem.replaceAll('\n', '\\n')],
    ['as base64', Buffer.from(pem).toString('base64')],
  ])('accepts the private key %s', (_form, key) => {
    expect(loadServerConfig({ ...app, PRIVATE_KEY: key }).github?.privateKey).toBe(pem);
  });

  it('accepts a wildcard host for sites beside the public address', () => {
    const config = loadServerConfig({
      PUBLIC_URL: 'https://docs.example.com',
      SITES_URL: 'https://*.docs.example.com:8443/',
    });
    expect(config.sitesUrl).toBe('https://*.docs.example.com:8443');
  });

  it('keeps the current webhook secret before the previous one', () => {
    const config = loadServerConfig({ ...app, WEBHOOK_SECRET_PREVIOUS: 'old' });
    expect(config.github?.webhookSecrets).toEqual(['w', 'old']);
  });

  it.each([
    [{ PORT: '99999' }, 'PORT is "99999", but must be a port'],
    [{ ROLE: 'leader' }, 'ROLE is "leader", but must be one of all, web, worker'],
    [
      { ROLE: 'worker', QUEUES: 'git, gut' },
      'QUEUES has "gut", but must have families of jobs (comments, conversations,',
    ],
    [{ ROLE: 'web', QUEUES: 'git' }, 'QUEUES is for workers, but ROLE is web'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but must be one of'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL must be an address that starts with https://'],
    [{ PUBLIC_URL: 'https://a:secret@x' }, 'PUBLIC_URL must not contain a user name or password'],
    [{ SITES_URL: 'https://docs.example.com' }, 'SITES_URL must be a wildcard host without a path'],
    [{ SITES_URL: 'https://*.example.com/docs' }, 'SITES_URL must be a wildcard host without a path'],
    [{ SITES_URL: 'https://*' }, 'SITES_URL must be a wildcard host without a path'],
    [
      { SITES_URL: 'https://*.example.com', PUBLIC_URL: 'https://app.example.com' },
      'SITES_URL must not cover the host of PUBLIC_URL',
    ],
    [{ PLATFORM_URL: 'https://docs.example' }, 'PLATFORM_TOKEN is missing'],
    [{ OPENAPI_SECRET_PETS: 'secret' }, 'OPENAPI_SECRET_PETS must be the hosts that it is for'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES has "10.0.0.0/33"'],
    [{ TRUSTED_PROXIES: '10.1.2.3, proxy' }, 'TRUSTED_PROXIES has "proxy"'],
    [{ SMTP_URL: 'smtp://host/path', SMTP_FROM: 'a@b.example' }, 'SMTP_URL must be smtp://'],
    [{ HTTPS_PROXY: 'socks5://user:secret@host:1' }, 'HTTPS_PROXY must be http://proxy.example.com:3128'],
    [{ https_proxy: 'http://user:se/cret@host' }, 'HTTPS_PROXY must be http://proxy.example.com:3128'],
    [{ HTTP_PROXY: 'http://host:1/path' }, 'HTTP_PROXY must be http://proxy.example.com:3128'],
    [{ SMTP_URL: 'http://host', SMTP_FROM: 'a@b.example' }, 'SMTP_URL must be smtp://'],
    [{ SMTP_URL: 'smtp://host' }, 'SMTP_FROM is missing'],
    [{ SMTP_URL: 'smtp://host', SMTP_FROM: 'Docs' }, 'SMTP_FROM must be an address'],
    [{ APP_ID: 'seven', PRIVATE_KEY: pem, WEBHOOK_SECRET: 'w' }, "APP_ID must be the App's number"],
    [{ APP_ID: '7', PRIVATE_KEY: pem }, 'WEBHOOK_SECRET is missing'],
    [{ APP_ID: '7', WEBHOOK_SECRET: 'w' }, 'PRIVATE_KEY is missing'],
    [
      { APP_ID: '7', WEBHOOK_SECRET: 'w', PRIVATE_KEY: 'hello' },
      'PRIVATE_KEY is not a private key in PEM form',
    ],
    [
      { APP_ID: '7', WEBHOOK_SECRET: 'w', PRIVATE_KEY_PATH: '/nowhere.pem' },
      'PRIVATE_KEY_PATH names /nowhere.pem',
    ],
  ])('refuses %o', (env, message) => {
    expect(() => loadServerConfig(env)).toThrow(message);
  });

  it('reports all problems at once, and no secret', () => {
    const load = () =>
      loadServerConfig({ PORT: 'x', LOG_LEVEL: 'y', APP_ID: '1', WEBHOOK_SECRET: 'topsecret' });
    expect(load).toThrow(ConfigError);
    try {
      load();
    } catch (error) {
      expect((error as ConfigError).problems).toHaveLength(3);
      expect((error as ConfigError).message).not.toContain('topsecret');
    }
  });
});

describe('secrets from files', () => {
  /** Everything that makes a secret needed or used. */
  const users = {
    APP_ID: '7',
    GITHUB_CLIENT_ID: 'Iv1.7',
    PLATFORM_URL: 'https://docs.example',
    OPENAI_URL: 'https://model.example/v1',
    OPENAI_MODEL: 'm',
    SMTP_FROM: 'docs@docs.example',
    LIBRETRANSLATE_URL: 'https://translate.example',
  };
  const secrets = SETTINGS.flatMap((setting) =>
    'secret' in setting ? [setting.name.replace('<NAME>', 'PETS')] : [],
  );
  const texts = Object.fromEntries(secrets.map((name) => [name, `pets.example value-of-${name}`]));
  const values: Record<string, string> = {
    ...texts,
    PRIVATE_KEY: pem,
    SMTP_URL: 'smtp://user:value-of-SMTP_URL@host',
    HTTPS_PROXY: 'http://user:value-of-HTTPS_PROXY@proxy.example:3128',
    HTTP_PROXY: 'http://user:value-of-HTTP_PROXY@proxy.example:3128',
  };
  const withFiles = (path: (name: string) => string) => ({
    ...users,
    ...Object.fromEntries(secrets.map((name) => [`${name}_FILE`, path(name)])),
  });
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docloom-secrets-'));
    for (const name of secrets) writeFileSync(join(folder, name), `${values[name]}\n`);
    writeFileSync(join(folder, 'empty'), '\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are the same as secrets from variables, for every secret', () => {
    const { secretFor: fromFile, ...read } = loadServerConfig(withFiles((name) => join(folder, name)));
    const { secretFor: fromVariable, ...set } = loadServerConfig({ ...users, ...values });
    expect(read).toEqual(set);
    expect(JSON.stringify(read)).toContain('value-of-SECRET_KEY"');
    expect(fromFile('PETS', 'pets.example')).toBe('value-of-OPENAPI_SECRET_PETS');
    expect(fromVariable('PETS', 'pets.example')).toBe('value-of-OPENAPI_SECRET_PETS');
  });

  const problemsOf = (env: Record<string, string>): readonly string[] => {
    try {
      loadServerConfig(env);
    } catch (error) {
      return (error as ConfigError).problems.toSorted();
    }
    return [];
  };

  it('are named once each when their file cannot be read', () => {
    expect(problemsOf(withFiles((name) => join(folder, 'missing', name)))).toEqual(
      secrets
        .map(
          (name) =>
            `${name}_FILE names ${join(folder, 'missing', name)}, which cannot be read: check the path and its permissions`,
        )
        .toSorted(),
    );
  });

  it('are named with both variables when both are set', () => {
    expect(problemsOf({ ...withFiles((name) => join(folder, name)), ...values })).toEqual(
      secrets.map((name) => `${name} and ${name}_FILE are both set: remove one of them`).toSorted(),
    );
  });

  it('are not empty, and their file has an absolute path, which may be the secret and is not repeated', () => {
    expect(problemsOf({ SECRET_KEY_FILE: join(folder, 'empty'), METRICS_TOKEN_FILE: 'topsecret' })).toEqual([
      'METRICS_TOKEN_FILE must be the absolute path of a file that contains the secret',
      `SECRET_KEY_FILE names ${join(folder, 'empty')}, which is empty: write the secret into it`,
    ]);
  });

  it('may still have a name that ends with _FILE, for an API specification', () => {
    const { secretFor } = loadServerConfig({ OPENAPI_SECRET_PETS_FILE: 'pets.example abc' });
    expect(secretFor('PETS_FILE', 'pets.example')).toBe('abc');
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const rows = page.matchAll(/^\| `([A-Z_<>]+)` \| (.*) \| (.*) \|$/gm);

  it('has a row for each setting, in the same words', () => {
    expect([...rows].map((row) => row.slice(1))).toEqual(
      SETTINGS.map((setting) => [
        setting.name,
        setting.meaning,
        'fallback' in setting ? `\`${setting.fallback}\`` : '–',
      ]),
    );
  });

  it('has a row for each name that is read, also for names that begin alike', () => {
    const rooms = readdirSync('src', { recursive: true, withFileTypes: true }).filter(
      (entry) =>
        entry.isFile() &&
        entry.name !== 'drizzle.config.ts' &&
        /^src\/(?!cli|git|sandbox)/.test(entry.parentPath),
    );
    const texts = rooms.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const named = texts.flatMap((text) => [
      ...text.matchAll(/env(?:ironment)?(?:\.|\[['"`])([A-Z][A-Z_]+)|\^([A-Z]+_[A-Z_]+_)\(/g),
    ]);
    const names = new Set(named.map(([, whole, prefix]) => whole ?? `${prefix}<NAME>`));
    const known: readonly string[] = SETTINGS.map(({ name }) => name);
    expect(names).toContain('OPENAPI_SECRET_<NAME>');
    expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names every secret', () => {
    const told = /^(.*) are secrets: they are never printed/m.exec(page)?.[1] ?? '';
    expect([...told.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(
      SETTINGS.flatMap((setting) => ('secret' in setting ? [setting.name] : [])),
    );
  });
});
