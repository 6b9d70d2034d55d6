/** The script that takes the pictures of the docs works with the demo as it is now. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeInBrowser } from './open-browser.ts';
import { MAX_PICTURE, PICTURES, pictureFile, SCHEMES } from './picture-list.ts';
import { takePictures } from './take-pictures.ts';

describeInBrowser('the pictures of the docs', () => {
  test('are taken from the demo, each in light and in dark', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docloom-pictures-'));
    try {
      await takePictures(folder, { signal: AbortSignal.timeout(600_000), write: () => true });
      const names = PICTURES.flatMap((name) => SCHEMES.map((scheme) => pictureFile(name, scheme)));
      expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
      for (const name of PICTURES) {
        const [light, dark] = await Promise.all(
          SCHEMES.map((scheme) => readFile(join(folder, pictureFile(name, scheme)))),
        );
        for (const bytes of [light, dark]) {
          expect(bytes?.toString('latin1', 8, 12)).toBe('WEBP');
          // An empty window takes less.
          expect(bytes?.length).toBeGreaterThan(8_000);
          expect(bytes?.length).toBeLessThanOrEqual(MAX_PICTURE);
        }
        expect([name, light?.equals(dark ?? Buffer.alloc(0))]).toEqual([name, false]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
