import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSealer } from '../../src/store/index.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'docloom-sealer-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const secretKey = 'correct horse battery staple, thirty-two';

test('any text can be unsealed, and is not visible in the sealed text', () => {
  const sealer = openSealer({ secretKey, dataDir });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
      const sealed = sealer.seal(secret);
      expect(sealed).toMatch(/^[\w.-]+$/);
      expect(sealer.unseal(sealed)).toBe(secret);
      if (secret.length > 8) expect(sealed).not.toContain(secret);
    }),
  );
  expect(sealer.seal('a')).not.toBe(sealer.seal('a'));
});

test('the key of the data folder is created once, readable by its owner only, and found again', () => {
  const sealed = openSealer({ dataDir }).seal('a token');
  expect(openSealer({ dataDir }).unseal(sealed)).toBe('a token');
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('processes that start at once agree on one key', async () => {
  const script = `
    import { openSealer } from ${JSON.stringify(new URL('../../src/store/sealer.ts', import.meta.url).href)};
    process.stdout.write(openSealer({ dataDir: ${JSON.stringify(dataDir)} }).seal('a'));`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const sealed = await Promise.all(children.map((child) => text(child.stdout)));
  const sealer = openSealer({ dataDir });
  expect(sealed.map((text) => sealer.unseal(text))).toEqual(['a', 'a', 'a', 'a']);
});

test('another key and damage are distinguished, and neither error shows a secret', () => {
  const sealer = openSealer({ secretKey, dataDir });
  const sealed = sealer.seal('a token');
  const other = openSealer({ secretKey: `${secretKey}!`, dataDir });
  expect(() => other.unseal(sealed)).toThrow(
    /^A sealed text of the database was sealed with key [0-9a-f]{8}, and the key in use is [0-9a-f]{8}: bring back/,
  );
  const flipped = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.at(-1);
  for (const damaged of [flipped, sealed.slice(0, 20), '', 'a token', sealed.replace('v1', 'v2')]) {
    expect(() => sealer.unseal(damaged)).toThrow('A sealed text of the database is damaged.');
  }
});

test('weak and damaged keys are refused', () => {
  expect(() => openSealer({ secretKey: 'short', dataDir })).toThrow('SECRET_KEY is too short');
  writeFileSync(join(dataDir, 'secret.key'), '');
  expect(() => openSealer({ dataDir })).toThrow('is damaged');
});
