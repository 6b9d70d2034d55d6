import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrastOf, parseHexColor, type Rgb } from '../../../src/sites/views/colors.ts';
import { siteAssets } from '../../../src/sites/views/site-assets.ts';
import type { SiteLook } from '../../../src/sites/views/site-page.ts';
import { siteStyles } from '../../../src/sites/views/site-styles.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { sampleFrame } from './sample-page.ts';

const css = siteAssets().style.body.toString();

function look(values: Partial<SiteLook>): SiteLook {
  return { ...sampleFrame().look, ...values };
}

/** The value of a custom property in both themes. */
function readPair(styles: string, name: string): readonly [light: Rgb, dark: Rgb] {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: ?light-dark\\((#[\\da-f]{6}), ?(#[\\da-f]{6})\\)`).exec(styles) ?? [];
  const pair = [parseHexColor(light), parseHexColor(dark)] as const;
  expect(pair, name).not.toContain(null);
  return pair as readonly [Rgb, Rgb];
}

function expectReadable(styles: string): void {
  for (const theme of [0, 1] as const) {
    const color = (name: string) => readPair(styles.includes(`--${name}:`) ? styles : css, name)[theme];
    for (const ground of ['ground', 'sunken', 'wash'])
      expect(contrastOf(color('accent'), color(ground)), `accent on ${ground}`).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(color('on-fill'), color('fill'))).toBeGreaterThanOrEqual(4.5);
  }
}

describe('the styles of a site', () => {
  test('are empty when nothing is customized', () => {
    expect(siteStyles(look({}))).toBe('');
  });

  test('our own colours can be read', () => {
    expectReadable(css);
    for (const theme of [0, 1] as const) {
      for (const name of ['ink', 'soft', 'info', 'good', 'warn', 'bad']) {
        for (const ground of ['ground', 'raised', 'sunken']) {
          const contrast = contrastOf(readPair(css, name)[theme], readPair(css, ground)[theme]);
          expect(contrast, `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  test('text in any colour can be read, in both themes', () => {
    const colors = fc
      .integer({ min: 0, max: 0xffffff })
      .map((number) => `#${number.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(colors, colors, (light, dark) => {
        const styles = siteStyles(look({ primaryColor: { light, dark } }));
        expect(styles).toContain(`--fill:light-dark(${light},${dark})`);
        expectReadable(styles);
      }),
      propertyRuns(200),
    );
  });

  test('a colour that can be read stays as it is', () => {
    const styles = siteStyles(look({ primaryColor: { light: '#0a3d91', dark: '#9cc4ff' } }));
    expect(styles).toContain('--accent:light-dark(#0a3d91,#9cc4ff)');
  });

  test.each(['red', '#12', '#12345', 'url(x)', '#000}body{display:none', ''])(
    '“%s” is no colour, and changes nothing',
    (color) => {
      expect(siteStyles(look({ primaryColor: { light: color, dark: '#ffffff' } }))).toBe('');
    },
  );

  test.each([
    ['#fff', '#ffffff'],
    ['#f00c', '#ff0000'],
    ['#12345678', '#123456'],
  ])('%s is %s', (written, meant) => {
    expect(siteStyles(look({ primaryColor: { light: written, dark: written } }))).toContain(
      `--fill:light-dark(${meant},${meant})`,
    );
  });

  test.each([
    [{ font: 'Lato' }, '--sans:"Lato",system-ui,sans-serif'],
    [{ font: 'Merriweather' }, '--sans:"Merriweather",ui-serif,Georgia,Cambria,"Times New Roman",serif'],
    [{ font: 'Comic Sans MS' }, '--sans:"Comic Sans MS",system-ui,sans-serif'],
    [{ monospaceFont: 'FiraCode' }, '--mono:"Fira Code",ui-monospace,Menlo,Consolas,monospace'],
  ])('fonts are those of the system: %o', (fonts, rule) => {
    expect(siteStyles(look(fonts))).toBe(`:root{${rule}}\n`);
  });

  test.each(['', 'x"}body{display:none', "x'", 'a\\', '</style>'])(
    '“%s” is no font, and changes nothing',
    (font) => {
      expect(siteStyles(look({ font, monospaceFont: font }))).toBe('');
    },
  );

  test('corners are straight or round', () => {
    expect(siteStyles(look({ corners: 'straight' }))).toBe(':root{--radius:0rem}\n');
    expect(siteStyles(look({ corners: 'circular' }))).toBe(':root{--radius:1rem}\n');
  });
});
