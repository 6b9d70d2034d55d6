import { expect, test } from 'vitest';
import { indexPages } from '../../src/sites/content/page-index.ts';
import { similarPages } from '../../src/sites/content/similar-pages.ts';
import type { PageRow } from '../../src/store/index.ts';

const PAGES = {
  '': 'Welcome',
  'guide/install': 'Install Lantern',
  'guide/install-on-windows': 'Install on Windows',
  'reference/configuration': 'Configuration',
  'reference/install': 'install',
  'руководство/установка': 'Установка',
};

const index = indexPages(
  Object.entries(PAGES).map(
    ([path, title]) =>
      ({ id: path, path, title, type: 'document', parentId: null, hidden: false, dialect: null }) as PageRow,
  ),
  { title: 'Lantern', variables: {} },
);

test.each([
  ['guide/install.html', ['guide/install', 'guide/install-on-windows', 'reference/install']],
  ['reference/install.md', ['reference/install', 'guide/install', 'guide/install-on-windows']],
  ['windows-install', ['guide/install-on-windows']],
  ['docs/config', ['reference/configuration']],
  ['установка', ['руководство/установка']],
  ['guide/nothing', []],
  ['…', []],
  ['', []],
])('%s', (path, expected) => {
  const found = similarPages(index, path).map(({ row }) => row.path);
  expect(found.slice(0, expected.length || 1)).toEqual(expected);
});
