/** Bytes that spaces received are read in few places, which fetch what was lost again and say so. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** What reads bytes without comparing them with what was received, or without having lost ones fetched. */
const RAW = /\b(?:loadTexts|loadTextsWithin)\(|\bblobs\.(?:read|size|stream)\(/;

const readers = {
  'src/platform/content/download-file.ts': 'files, for clients of the API',
  'src/platform/content/open-space-file.ts': 'files, for readers of sites',
  'src/platform/revisions/read-stored.ts': 'texts and files, for all else',
  'src/platform/revisions/store-files.ts': 'measures files while an import stores what is missing',
  'src/platform/search/store-sections.ts': 'texts that the import has just stored or found',
};

it('bytes are read from the store only where what was lost is fetched again', () => {
  const found = ['src/platform', 'src/sites', 'src/web', 'src/sync', 'src/server'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name))
      .filter((file) => RAW.test(readFileSync(file, 'utf8'))),
  );
  expect(found.toSorted()).toEqual(Object.keys(readers));
});
