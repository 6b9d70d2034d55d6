import { expect, test } from 'vitest';
import { mkdocsFormat } from '../../src/content/formats/mkdocs/mkdocs-format.ts';
import { findReading } from '../../src/content/index.ts';
import { analysisOf } from './analysis-of.ts';

test.each([
  'toc',
  'md_in_html',
  'pymdownx.snippets',
  'pymdownx.tabbed: {slugify: true}',
  'pymdownx.tabbed: {slugify: true, combine_header_slug: true}',
])('another thread finds the reading of MkDocs pages with %s by its key', async (extension) => {
  const { dialects } = analysisOf(
    {
      files: {
        'mkdocs.yml': `site_name: a\nmarkdown_extensions:\n  - ${extension}\n`,
        'docs/index.md': '# a\n',
      },
    },
    { name: 'mkdocs', format: mkdocsFormat },
  );
  const key = dialects['docs/index.md'] ?? expect.fail();
  expect(await findReading(key)).toHaveProperty('key', key);
});
