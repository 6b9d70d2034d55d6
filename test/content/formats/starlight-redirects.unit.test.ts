import { expect, test } from 'vitest';
import { starlightFormat } from '../../../src/content/formats/starlight/starlight-format.ts';
import { analysisOf } from '../analysis-of.ts';

const site = (redirects: string, page: string) =>
  analysisOf(
    {
      files: {
        'astro.config.mjs': `import starlight from '@astrojs/starlight';
export default { redirects: { ${redirects} }, integrations: [starlight({ title: 'a' })] };`,
        'src/content/docs/index.md': `---\ntitle: a\n---\n\n${page}`,
      },
    },
    { name: 'starlight', format: starlightFormat },
  )
    .links.filter(({ file }) => file.endsWith('.md'))
    .map(({ target, status }) => `${target} ${status}`);

test('of several redirects of one address the first counts, with or without parameters', () => {
  expect(site(`'/a/[x]': '/', '/a/b': '/gone/'`, '[x](/a/b)')).toEqual(['/a/b ok']);
  expect(site(`'/a/b': '/', '/a/[x]': '/gone/'`, '[x](/a/b/)\n[y](/a/c)')).toEqual(['/a/b/ ok', '/a/c ok']);
  expect(site(`'/a/[x]': '/'`, '[x](/b/c)')).toEqual(['/b/c broken']);
});

// With a look through all of them for each link, this takes minutes.
test('thousands of redirects, and links to all of them, are read', () => {
  const all = Array.from({ length: 8_000 }, (_, at) => `o${at}`);
  const links = site(
    all.map((name) => `'/${name}':\n'/'`).join(','),
    all.map((name) => `[x](/${name})`).join('\n'),
  );
  expect(links).toHaveLength(8_000);
  expect(links.every((link) => link.endsWith(' ok'))).toBe(true);
});

test('where more have parameters than are read, no link to an address without a page is broken', () => {
  const many = Array.from({ length: 600 }, (_, at) => `'/p${at}/[x]': '/'`).join(',\n');
  expect(site(many, '[x](/p599/y)\n[z](/z)')).toEqual(['/p599/y unchecked', '/z unchecked']);
});
