/** The pictures of the docs: those that the script takes, no others, and each is shown somewhere, in both schemes and with words. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_PICTURE, PICTURE_SIZE, PICTURES, pictureFile, SCHEMES } from '../browser/picture-list.ts';

const folder = 'docs/pictures';
const files = PICTURES.flatMap((name) => SCHEMES.map((scheme) => join(folder, pictureFile(name, scheme))));
const pages = [
  'README.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

test('the folder has what the script takes, each small enough', () => {
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .toSorted(),
  ).toEqual(files.toSorted());
  expect(files.filter((file) => statSync(file).size > MAX_PICTURE)).toEqual([]);
});

test('each is shown, dark ones where people want dark, with words for who does not see them', () => {
  const shown = new Set<string>();
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    for (const [picture] of text.matchAll(/<picture>[\s\S]*?<\/picture>/g)) {
      const [, dark = ''] = /media="\(prefers-color-scheme: dark\)" srcset="([^"]+)"/.exec(picture) ?? [];
      const [, light = '', alt = ''] =
        /<img src="([^"]+)" width="1200" height="750" alt="([^"]+)"/.exec(picture) ?? [];
      expect([page, dark]).toEqual([page, light.replace(/-light\.webp$/, '-dark.webp')]);
      expect(alt.length).toBeGreaterThan(20);
      for (const file of [light, dark]) shown.add(normalize(join(dirname(page), file)));
    }
    expect([page, text.match(/!\[[^\]]*\]\(pictures\//g)]).toEqual([page, null]);
  }
  expect(PICTURE_SIZE).toEqual({ width: 1200, height: 750 });
  expect([...shown].toSorted()).toEqual(files.toSorted());
});
