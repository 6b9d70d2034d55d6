import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { appNeeds, buildManifest, MAX_APP_NAME } from '../../../src/github/registration/app-manifest.ts';
import { findMissing } from '../../../src/github/registration/connection.ts';
import { handledEvents } from '../../../src/github/webhooks/events.ts';

const text = readFileSync(new URL('../../../app.yml', import.meta.url), 'utf8');
const manifest = parse(text) as { default_events: string[]; default_permissions: Record<string, string> };

/** GitHub tells every App of these, and takes no subscription to them. */
const ALWAYS_SENT = new Set(['installation', 'installation_repositories']);

test('the App receives every event that it handles, and no other', () => {
  const names = [...handledEvents.keys()].map((name) => name.split('.')[0] ?? '');
  const listened = new Set(names.filter((name) => !ALWAYS_SENT.has(name)));
  expect(new Set(manifest.default_events)).toEqual(listened);
});

test('every permission and event of the manifest has a reason', () => {
  const lines = text.split('\n');
  const asked = lines.flatMap((line, index) => (/^ {2}(- )?[a-z_]+/.test(line) ? [index] : []));
  expect(asked).toHaveLength(
    manifest.default_events.length + Object.keys(manifest.default_permissions).length,
  );
  for (const index of asked) expect(lines[index - 1]).toMatch(/^ {2}# [A-Z].*\.$/);
});

test('the read-only tier has no permission to write code, and otherwise the same permissions', () => {
  const asked = (tier: 'full' | 'read-only') =>
    Object.fromEntries(appNeeds(tier).permissions.map(({ name, level }) => [name, level]));
  expect(asked('full')).toEqual(manifest.default_permissions);
  expect(asked('read-only')).toEqual({
    ...manifest.default_permissions,
    contents: 'read',
    pull_requests: 'read',
  });
});

test('a manifest has the fields that GitHub needs, with the reasons from app.yml', () => {
  const made = buildManifest({
    name: 'Docloom for us',
    publicUrl: 'https://docs.example',
    tier: 'full',
    paths: {
      registered: '/setup/registered',
      signedIn: '/login/github/callback',
      installed: '/setup/installed',
    },
  });
  expect(made.name.length).toBeLessThanOrEqual(MAX_APP_NAME);
  expect(made).toMatchObject({
    public: false,
    hook_attributes: { url: 'https://docs.example/api/github/webhooks', active: true },
    redirect_url: 'https://docs.example/setup/registered',
    callback_urls: ['https://docs.example/login/github/callback'],
    default_permissions: manifest.default_permissions,
    default_events: manifest.default_events,
  });
  const { permissions, events } = appNeeds('full');
  for (const { reason } of [...permissions, ...events]) expect(reason).toMatch(/^[A-Z].*\.$/);
});

test('an App of an earlier release lacks nothing but what every repository needs', () => {
  const { permissions, events } = appNeeds('full');
  const granted = {
    permissions: Object.fromEntries(
      permissions.filter(({ name }) => name !== 'discussions').map(({ name, level }) => [name, level]),
    ),
    events: events.map(({ name }) => name).filter((name) => !/^issue|^discussion/.test(name)),
  };
  expect(findMissing(appNeeds('full'), granted)).toEqual({ permissions: [], events: [] });
  const without = { ...granted, permissions: { ...granted.permissions, issues: undefined } };
  expect(findMissing(appNeeds('full'), without).permissions.map(({ name }) => name)).toEqual(['issues']);
});
