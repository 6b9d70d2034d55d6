import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { renderPageParts } from '../../../src/content/render/index.ts';
import { sanitised } from '../../../src/markup/index.ts';
import { RARE_BLOCKS } from '../../../src/sites/views/rare-blocks.ts';
import { renderSitePage } from '../../../src/sites/views/render-site-page.ts';
import { RESERVED_IDS } from '../../../src/sites/views/reserved-ids.ts';
import { siteAssets } from '../../../src/sites/views/site-assets.ts';
import { navigationItem, sampleFrame, samplePage } from './sample-page.ts';

/** What a first visit may load, in bytes as brotli sends them. */
const BUDGET = { html: 14_000, style: 9_500, rareStyle: 3_000, script: 10_000 };

function weightOf(name: string, body: string | Buffer): number {
  const bytes = brotliCompressSync(body).length;
  console.info(`${name}: ${bytes} bytes`);
  return bytes;
}

describe('the weight of a page', () => {
  test('what few pages have is loaded by those that have it', () => {
    const { style, blocks, diagrams } = siteAssets();
    const withBody = (body: string) =>
      renderSitePage({ frame: sampleFrame(), page: samplePage({ body: sanitised(body) }) });
    const usual = withBody('<p>file video openapi</p><div class="hint filed">x</div>');
    expect(usual).toContain(style.name);
    expect(usual).not.toContain(blocks.name);
    expect(withBody('<ol class="stepper"></ol>')).toContain(blocks.name);
    const drawn = withBody('<pre tabindex="0" class="diagram"><code>x</code></pre>');
    expect([drawn.includes(blocks.name), drawn.includes(diagrams.name)]).toEqual([true, true]);
    expect(usual).not.toContain(diagrams.name);
  });

  test('blocks whose look is apart have one', () => {
    const css = siteAssets().blocks.body.toString();
    expect(RARE_BLOCKS.filter((name) => !new RegExp(`\\.${name}\\b(?!-)`).test(css))).toEqual([]);
  });

  test('its stylesheet and its scripts are small', () => {
    const { style, blocks, script, theme } = siteAssets();
    expect(weightOf('stylesheet', style.body)).toBeLessThan(BUDGET.style);
    expect(weightOf('stylesheet of rare blocks', blocks.body)).toBeLessThan(BUDGET.rareStyle);
    expect(weightOf('scripts', script.body) + weightOf('theme', theme.body)).toBeLessThan(BUDGET.script);
  });

  test('what pages that show operations load besides is, too', () => {
    const { operationStyle, operationScript } = siteAssets();
    expect(weightOf('stylesheet of operations', operationStyle.body)).toBeLessThan(2_000);
    expect(weightOf('script of operations', operationScript.body)).toBeLessThan(6_000);
  });

  test('a usual page with a navigation of 150 pages is, too', async () => {
    const { title, body, outline } = await renderPageParts(readFileSync('docs/operation.md', 'utf8'), {
      reservedIds: RESERVED_IDS,
      highlight: true,
      isForSite: true,
    });
    const groups = Array.from({ length: 10 }, (_, group) =>
      navigationItem(`Part ${group} of the guide`, {
        href: null,
        items: Array.from({ length: 15 }, (_, page) =>
          navigationItem(`Page ${page * 7} about part ${group}`),
        ),
      }),
    );
    const page = renderSitePage({
      frame: sampleFrame({ navigation: groups }),
      page: samplePage({ heading: title === null ? null : sanitised(title), body: sanitised(body), outline }),
    });
    expect(weightOf('page', page)).toBeLessThan(BUDGET.html);
  });
});
