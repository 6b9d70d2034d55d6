import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { renderPage, toDocument } from '../../src/content/render/index.ts';
import { expectValidDocument, textOfDocument, textOfHtml } from '../content/render/compare-texts.ts';
import { casesAtLength } from '../support/describe-at-length.ts';

/** Bundles of real repositories beside this one, where there are any: name, dialect and pages. */
const corpora = resolve('../shared/corpora');
const repositories = casesAtLength(
  'pages of further real repositories',
  [['vuejs__docs', 'vitepress', 'src/*.md']],
  [
    ['GitbookIO__public-docs', 'gitbook', '*.md'],
    ['mkdocs__mkdocs', 'mkdocs', 'docs/*.md'],
    ['reduxjs__redux', 'docusaurus', 'docs/*.md*'],
    ['withastro__starlight', 'starlight:mdx', 'docs/*.mdx'],
  ],
).filter(([name]) => existsSync(join(corpora, `${name}.bundle`)));
if (repositories.length === 0)
  console.warn(`Left out pages of real repositories: there are none in ${corpora}.`);

/** Pages compared of each repository, spread over all. */
const SAMPLE = 10;

if (repositories.length === 0) test.skip('pages of real repositories');
test.each(repositories)('%s has the same text as HTML and as documents', async (name, dialect, pages) => {
  const clone = mkdtempSync(join(tmpdir(), 'docloom-test-'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 100_000_000 });
  try {
    git('clone', '-q', '--bare', '-b', 'main', join(corpora, `${name}.bundle`), '.');
    const paths = git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0');
    const [folder = '', ending = ''] = (pages ?? '').split('*');
    const fitting = paths.filter((path) => path.startsWith(folder) && path.includes(ending));
    expect(fitting.length).toBeGreaterThan(SAMPLE);
    const step = Math.floor(fitting.length / SAMPLE);
    for (const path of fitting.filter((_, at) => at % step === 0)) {
      const markdown = git('show', `HEAD:${path}`);
      const document = await toDocument(markdown, { dialect });
      const html = await renderPage(markdown, { dialect });
      expect(textOfDocument(document), path).toBe(textOfHtml(html));
      expectValidDocument(document);
    }
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
