import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { listenedEvents } from '../../src/github/webhooks/event-shapes.ts';

const text = readFileSync(new URL('../../app.yml', import.meta.url), 'utf8');
const manifest = parse(text) as { default_events: string[]; default_permissions: Record<string, string> };

/** GitHub tells every App of these, and takes no subscription to them. */
const ALWAYS_SENT = new Set(['installation', 'installation_repositories']);

test('the App is told of every event that it listens to, and of no other', () => {
  const names = Object.keys(listenedEvents).map((name) => name.split('.')[0] ?? '');
  const listened = new Set(names.filter((name) => !ALWAYS_SENT.has(name)));
  expect(new Set(manifest.default_events)).toEqual(listened);
});

test('every permission and event of the manifest gives its reason', () => {
  const lines = text.split('\n');
  const asked = lines.flatMap((line, index) => (/^ {2}(- )?[a-z_]+/.test(line) ? [index] : []));
  expect(asked).toHaveLength(
    manifest.default_events.length + Object.keys(manifest.default_permissions).length,
  );
  for (const index of asked) expect(lines[index - 1]).toMatch(/^ {2}# [A-Z].*\.$/);
});

test('the App asks for no permission to write code', () => {
  expect(manifest.default_permissions).toMatchObject({ contents: 'read', pull_requests: 'read' });
});
