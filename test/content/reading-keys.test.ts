import { expect, test } from 'vitest';
import {
  sidebarsReading,
  siteConfigReading,
} from '../../src/content/formats/docusaurus/docusaurus-config-links.ts';
import { redirectReading } from '../../src/content/formats/gitbook/gitbook-config-links.ts';
import { bookConfigReading } from '../../src/content/formats/mdbook/mdbook-config-links.ts';
import { mkdocsConfigReading } from '../../src/content/formats/mkdocs/mkdocs-config-links.ts';
import { mkdocsFormat } from '../../src/content/formats/mkdocs/mkdocs-format.ts';
import {
  starlightConfigReading,
  starlightModuleReading,
} from '../../src/content/formats/starlight/starlight-config-links.ts';
import {
  vitepressConfigReading,
  vitepressModuleReading,
} from '../../src/content/formats/vitepress/vitepress-config-links.ts';
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

test.each([
  redirectReading,
  siteConfigReading,
  sidebarsReading,
  bookConfigReading,
  mkdocsConfigReading,
  starlightConfigReading,
  starlightModuleReading,
  vitepressConfigReading,
  vitepressModuleReading,
])('another thread finds the reading of configurations $key by its key', async (reading) => {
  expect(await findReading(reading.key)).toBe(reading);
});
