import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ruleDescriptions } from '../../src/cli/check/print/rule-words.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/link-checks.md', root), 'utf8');

/** The reasons of the page's table, by the files of `src/content` whose code leaves links unchecked. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'engine/conventions.ts': ['unknown convention'],
  'format-port/link-rules.ts': ['may be made'],
  'formats/comment-includes.ts': ['shown elsewhere'],
  'formats/docusaurus/built-elsewhere.ts': ['decided by running', 'may be made'],
  'formats/docusaurus/docusaurus-config-rules.ts': [
    'may be made',
    'decided by running',
    'redirected',
    'elsewhere',
  ],
  'formats/docusaurus/docusaurus-format.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/docusaurus/docusaurus-rules.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/docusaurus/next-version.ts': ['decided by running', 'may be made'],
  'formats/docusaurus/resolve-address.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/docusaurus/site-routes.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/gitbook/app-address.ts': ['elsewhere', 'may be made', 'redirected'],
  'formats/gitbook/gitbook-access.ts': ['copied as it is', 'elsewhere', 'may be made', 'redirected'],
  'formats/gitbook/gitbook-anchors.ts': ['elsewhere', 'may be made', 'redirected'],
  'formats/gitbook/gitbook-rules.ts': ['elsewhere', 'may be made', 'redirected'],
  'formats/github/assembled-pages.ts': ['shown elsewhere'],
  'formats/github/component-links.ts': ['decided by running'],
  'formats/github/filled-sites.ts': ['shown elsewhere'],
  'formats/github/foreign-names.ts': ['unknown builder', 'redirected', 'code', 'may be made'],
  'formats/github/former-addresses.ts': ['redirected'],
  'formats/github/page-addresses.ts': ['redirected'],
  'formats/github/foreign-rules.ts': ['unknown builder', 'redirected', 'code', 'may be made'],
  'formats/github/github-rules.ts': ['code', 'placeholder', 'shown elsewhere', 'elsewhere', 'may be made'],
  'formats/github/language-variants.ts': ['shown elsewhere'],
  'formats/github/python-markdown.ts': ['unknown builder'],
  'formats/github/site-front-matter.ts': ['a site’s folder', 'placeholder'],
  'formats/left-out-rules.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/made-targets.ts': ['may be made'],
  'formats/mdbook/found-files.ts': ['may be made', 'elsewhere'],
  'formats/mdbook/mdbook-access.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/mdbook/mdbook-anchors.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/mdbook/mdbook-config-links.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/mdbook/mdbook-format.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/mdbook/mdbook-rules.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/mkdocs/copied-by-hooks.ts': ['may be made'],
  'formats/mkdocs/included-sites.ts': ['may be made'],
  'formats/mkdocs/mkdocs-access.ts': ['may be made', 'elsewhere', 'placeholder', 'redirected'],
  'formats/mkdocs/mkdocs-anchors.ts': ['may be made', 'elsewhere', 'placeholder', 'redirected'],
  'formats/mkdocs/mkdocs-config-rules.ts': ['may be made', 'elsewhere', 'placeholder', 'redirected'],
  'formats/mkdocs/mkdocs-rules.ts': ['may be made', 'elsewhere', 'placeholder', 'redirected'],
  'formats/mkdocs/resolve-include.ts': ['shown elsewhere', 'elsewhere'],
  'formats/mkdocs/snippet-rules.ts': ['shown elsewhere', 'elsewhere'],
  'formats/mkdocs/translated-pages.ts': ['may be made'],
  'formats/starlight/starlight-addresses.ts': [
    'may be made',
    'decided by running',
    'redirected',
    'elsewhere',
  ],
  'formats/starlight/starlight-anchors.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/starlight/starlight-config-rules.ts': [
    'may be made',
    'decided by running',
    'redirected',
    'elsewhere',
  ],
  'formats/starlight/starlight-files.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/starlight/starlight-routes.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/starlight/starlight-rules.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/symlinked-pages.ts': ['shown elsewhere'],
  'formats/vitepress/vitepress-access.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'formats/vitepress/vitepress-config-rules.ts': [
    'may be made',
    'decided by running',
    'redirected',
    'elsewhere',
  ],
  'formats/vitepress/vitepress-rules.ts': ['may be made', 'decided by running', 'redirected', 'elsewhere'],
  'ignore/ignores.ts': ['ignored'],
  'links/check-link.ts': ['elsewhere', 'not read', 'placeholder'],
  'links/explain-elsewhere.ts': ['placeholder', 'elsewhere'],
  'links/resolve-parsed.ts': ['elsewhere'],
  'links/written-name.ts': ['unknown builder'],
};

const LEAVES_UNCHECKED = /generatedVerdict\(|[vV]erdict\(\s*'unchecked'|status: 'unchecked'/;

describe('the reasons for unchecked links', () => {
  it('are in the table of the docs, for each file of code that has one', () => {
    const content = new URL('src/content/', root);
    const files = readdirSync(content, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => LEAVES_UNCHECKED.test(readFileSync(new URL(path, content), 'utf8')));
    expect(files.sort()).toEqual(Object.keys(REASONS).sort());
    for (const reason of new Set(Object.values(REASONS).flat())) expect(page).toContain(`\n| ${reason} | `);
  });

  it('of the table are those of some code', () => {
    const table = page.slice(page.indexOf('| reason | when |'), page.indexOf('In spaces of plain Markdown'));
    const reasons = [...table.matchAll(/^\| ([^|]+) \| /gm)].flatMap(([, reason = '']) =>
      reason === 'reason' ? [] : [reason],
    );
    expect(reasons.sort()).toEqual([...new Set(Object.values(REASONS).flat())].sort());
  });

  it('have their notices explained', () => {
    const notices = Object.keys(ruleDescriptions).filter((rule) => /^(?:unknown|unjudged)-/.test(rule));
    for (const rule of notices) expect(page).toContain(`\`${rule}\``);
  });
});
