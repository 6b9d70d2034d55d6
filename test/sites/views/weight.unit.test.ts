import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { renderPageParts } from '../../../src/content/render/index.ts';
import { sanitised } from '../../../src/markup/index.ts';
import { renderSitePage } from '../../../src/sites/views/render-site-page.ts';
import { RESERVED_IDS } from '../../../src/sites/views/reserved-ids.ts';
import { siteAssets } from '../../../src/sites/views/site-assets.ts';
import { stylesFor } from '../../../src/sites/views/style-parts.ts';
import { navigationItem, sampleFrame, samplePage } from './sample-page.ts';

/** What a first visit may load, in bytes as brotli sends them. */
const BUDGET = { html: 17_000, style: 8_500, script: 10_000 };

function weightOf(name: string, body: string | Buffer): number {
  const bytes = brotliCompressSync(body).length;
  console.info(`${name}: ${bytes} bytes`);
  return bytes;
}

describe('the weight of a page', () => {
  test('it has the styles of what is on it', () => {
    const withBody = (body: string) =>
      renderSitePage({ frame: sampleFrame(), page: samplePage({ body: sanitised(body) }) });
    const usual = withBody('<p>file video openapi</p><div class="hint filed">x</div>');
    expect(usual).toContain('.hint');
    expect(usual).not.toMatch(/\.content \.stepper|\.hljs-|\.finder\[|\.content table|@media print/);
    expect(withBody('<ol class="stepper"></ol>')).toContain('.content .stepper');
    expect(withBody('<pre tabindex="0"><code>x</code></pre>')).toContain('.hljs-');
    const { diagrams } = siteAssets();
    expect(withBody('<pre tabindex="0" class="diagram"><code>x</code></pre>')).toContain(diagrams.name);
    expect(usual).not.toContain(diagrams.name);
  });

  test('its styles and its scripts are small', () => {
    const { laterStyle, script, theme } = siteAssets();
    const usual =
      '<body><pre><code class="hljs-name">x</code></pre><table></table><p class="hint"><p class="tabs">';
    expect(weightOf('styles', stylesFor(usual)) + weightOf('later styles', laterStyle.body)).toBeLessThan(
      BUDGET.style,
    );
    expect(weightOf('scripts', script.body) + weightOf('theme', theme.body)).toBeLessThan(BUDGET.script);
  });

  test('what pages that show operations load besides is, too', () => {
    const { operationScript } = siteAssets();
    expect(weightOf('script of operations', operationScript.body)).toBeLessThan(6_000);
  });

  test('a usual page with a navigation of 150 pages is, too', async () => {
    // So much of a long page, which grows with the product, as a usual page has.
    const text = readFileSync('docs/operation.md', 'utf8').slice(0, 21_000);
    const { title, body, outline } = await renderPageParts(text, {
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
