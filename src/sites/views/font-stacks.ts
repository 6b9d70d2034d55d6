import type { SiteLook } from './site-page.ts';

/** What follows the chosen family: nothing is loaded, so most readers see the first of these that their system has. */
const SANS = 'system-ui,sans-serif';
const SERIF = 'ui-serif,Georgia,Cambria,"Times New Roman",serif';
const MONO = 'ui-monospace,Menlo,Consolas,monospace';

/** By the names of the published client, where they are not what systems call the family. */
const FAMILIES: Readonly<Record<string, string>> = {
  ABCFavorit: 'ABC Favorit',
  RobotoSlab: 'Roboto Slab',
  OpenSans: 'Open Sans',
  SourceSansPro: 'Source Sans Pro',
  NotoSans: 'Noto Sans',
  IBMPlexSerif: 'IBM Plex Serif',
  FiraSans: 'Fira Sans',
  FiraCode: 'Fira Code',
  IBMPlexMono: 'IBM Plex Mono',
  SourceCodePro: 'Source Code Pro',
  RobotoMono: 'Roboto Mono',
  SpaceMono: 'Space Mono',
  DMMono: 'DM Mono',
};

const SERIFS: ReadonlySet<string> = new Set(['RobotoSlab', 'Merriweather', 'IBMPlexSerif']);

/** What every site has of which nobody chose a font: the fonts of the reader's system. */
const USUAL = { font: 'Inter', monospaceFont: 'JetBrainsMono' };

/** The families of text and of code, as the stylesheet names them; null where they are those of `site.css`. */
export function fontStacks({ font, monospaceFont }: Pick<SiteLook, 'font' | 'monospaceFont'>): {
  readonly sans: string | null;
  readonly mono: string | null;
} {
  return {
    sans: font === USUAL.font ? null : stack(font, SERIFS.has(font) ? SERIF : SANS),
    mono: monospaceFont === USUAL.monospaceFont ? null : stack(monospaceFont, MONO),
  };
}

/** Null for what could end the name in a stylesheet. */
function stack(name: string, fallback: string): string | null {
  return /^[\w -]+$/.test(name) ? `"${FAMILIES[name] ?? name}",${fallback}` : null;
}
