import {
  contrastOf,
  mixColors,
  parseHexColor,
  READABLE,
  type Rgb,
  readableOn,
  toHexColor,
} from './colors.ts';
import { fontStacks } from './font-stacks.ts';
import type { SiteLook } from './site-page.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The grounds of text in `site.css`: `--ground` and `--sunken`. */
const GROUNDS = {
  light: [WHITE, [0xf6, 0xf7, 0xf9]],
  dark: [
    [0x13, 0x14, 0x18],
    [0x1d, 0x1f, 0x25],
  ],
} as const satisfies Record<string, readonly Rgb[]>;

/** As in `site.css`. */
const WASH = { light: 0.09, dark: 0.16 };

const RADII = { rounded: null, straight: '0rem', circular: '1rem' };

/**
 * The stylesheet of what a site customizes, empty for none. Its own colour is kept for what is filled with it; for text it
 * becomes so much darker or lighter that it can be read (WCAG AA).
 */
export function siteStyles(look: SiteLook): string {
  const rules: string[] = [];
  const light = parseHexColor(look.primaryColor?.light ?? '');
  const dark = parseHexColor(look.primaryColor?.dark ?? '');
  if (light !== null && dark !== null) {
    const [inLight, inDark] = [paletteOf(light, 'light'), paletteOf(dark, 'dark')];
    for (const name of ['fill', 'on-fill', 'accent', 'wash'] as const)
      rules.push(`--${name}:light-dark(${toHexColor(inLight[name])},${toHexColor(inDark[name])})`);
  }
  const radius = RADII[look.corners];
  if (radius !== null) rules.push(`--radius:${radius}`);
  const { sans, mono } = fontStacks(look);
  if (sans !== null) rules.push(`--sans:${sans}`);
  if (mono !== null) rules.push(`--mono:${mono}`);
  return rules.length === 0 ? '' : `:root{${rules.join(';')}}\n`;
}

/** What becomes of a colour that cannot be read on the ground of a theme; null for one that can (WCAG AA). */
interface WeakColor {
  /** With the ground, from 1 to 4.5. */
  readonly contrast: number;
  /** In which links are written instead. */
  readonly readable: string;
}

/** The own colour of a site in each theme, where links cannot be written in it. */
export function findWeakColors(colors: {
  readonly light: string;
  readonly dark: string;
}): Readonly<Record<'light' | 'dark', WeakColor | null>> {
  const weak = (theme: 'light' | 'dark'): WeakColor | null => {
    const color = parseHexColor(colors[theme]);
    if (color === null) return null;
    const contrast = contrastOf(color, GROUNDS[theme][0]);
    return contrast >= READABLE ? null : { contrast, readable: toHexColor(paletteOf(color, theme).accent) };
  };
  return { light: weak('light'), dark: weak('dark') };
}

function paletteOf(color: Rgb, theme: 'light' | 'dark') {
  const grounds: readonly Rgb[] = GROUNDS[theme];
  const wash = mixColors(color, grounds[0] ?? WHITE, WASH[theme]);
  return {
    fill: color,
    'on-fill': contrastOf(color, WHITE) >= contrastOf(color, BLACK) ? WHITE : BLACK,
    accent: readableOn(color, [...grounds, wash], theme === 'light' ? BLACK : WHITE),
    wash,
  };
}
