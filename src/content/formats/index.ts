import type { FindDialect } from '../dialect/index.ts';
import type { Format, FormatMoves } from '../format-port/index.ts';
import type { FormatName, formatNames } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import { withBuild } from './build-targets.ts';
import { withForeignParts } from './foreign-parts.ts';
import { gravReading, hugoReading, mystReading, templateReading } from './github/site-readings.ts';
import { withHostShownPages } from './host-shown-pages.ts';

/** A format: its name, the files that identify it, and the folder of its code. */
export interface FormatRow {
  readonly name: FormatName;
  /** Ends of file paths, in whole names; a repository without any of them has no space of this format. */
  readonly markers: readonly string[];
  readonly load: () => Promise<Format>;
  /** How its pages are rendered; absent for pages that are rendered as on GitHub. */
  readonly loadDialect?: () => Promise<FindDialect>;
  /** How its tables of contents and configurations are read, and pages besides the readings of its dialects. */
  readonly loadReadings?: () => Promise<readonly Reading[]>;
  /** What moves change besides links; absent where a format has neither a configuration nor addresses of its own. */
  readonly loadMoves?: () => Promise<FormatMoves>;
}

/** One row for each name, in the order of the names. */
type RowsOf<Names extends readonly FormatName[]> = {
  readonly [At in keyof Names]: FormatRow & { readonly name: Names[At] };
};

/**
 * A format is a name in `model/format-name.ts`, a row here and a folder beside this file, which is loaded when a
 * repository contains one of its markers. `github` is the fallback and has no markers.
 */
export const formats: RowsOf<typeof formatNames> = [
  {
    name: 'mdbook',
    markers: ['book.toml'],
    load: async () => builtFormat((await import('./mdbook/mdbook-format.ts')).mdbookFormat),
    loadMoves: async () => (await import('./mdbook/mdbook-moves.ts')).mdbookMoves,
    loadDialect: async () => (await import('./mdbook/mdbook-dialect.ts')).mdbookDialect,
    loadReadings: async () => [
      (await import('./mdbook/mdbook-reading.ts')).bookContentsReading,
      (await import('./mdbook/mdbook-config-links.ts')).bookConfigReading,
    ],
  },
  {
    name: 'mkdocs',
    markers: ['mkdocs.yml', 'mkdocs.yaml'],
    load: async () => builtFormat((await import('./mkdocs/mkdocs-format.ts')).mkdocsFormat, { shares: true }),
    loadMoves: async () => (await import('./mkdocs/mkdocs-moves.ts')).mkdocsMoves,
    loadDialect: async () => (await import('./mkdocs/mkdocs-dialect.ts')).mkdocsDialect,
    loadReadings: async () => [(await import('./mkdocs/mkdocs-config-links.ts')).mkdocsConfigReading],
  },
  {
    name: 'vitepress',
    markers: [
      '.vitepress/config.ts',
      '.vitepress/config.js',
      '.vitepress/config.mts',
      '.vitepress/config.mjs',
      '.vitepress/config.cts',
      '.vitepress/config.cjs',
      '.vitepress/config/index.ts',
      '.vitepress/config/index.js',
      '.vitepress/config/index.mts',
      '.vitepress/config/index.mjs',
      '.vitepress/config/index.cts',
      '.vitepress/config/index.cjs',
      '.vitepress/theme/index.ts',
      '.vitepress/theme/index.js',
      '.vitepress/theme/index.mts',
      '.vitepress/theme/index.mjs',
      '.vitepress/theme/index.cts',
      '.vitepress/theme/index.cjs',
    ],
    load: async () => builtFormat((await import('./vitepress/vitepress-format.ts')).vitepressFormat),
    loadMoves: async () => (await import('./vitepress/vitepress-moves.ts')).vitepressMoves,
    loadDialect: async () => (await import('./vitepress/vitepress-dialect.ts')).vitepressDialect,
    loadReadings: async () => {
      const readings = await import('./vitepress/vitepress-config-links.ts');
      return [readings.vitepressConfigReading, readings.vitepressModuleReading];
    },
  },
  {
    name: 'gitbook',
    markers: ['.gitbook.yaml', 'SUMMARY.md', 'docs.yaml', 'gitbook-docs.yaml'],
    load: async () => withHostShownPages((await import('./gitbook/gitbook-format.ts')).gitbookFormat),
    loadMoves: async () => (await import('./gitbook/gitbook-moves.ts')).gitbookMoves,
    loadDialect: async () => (await import('./gitbook/gitbook-dialect.ts')).gitbookDialect,
    loadReadings: async () => [
      (await import('./gitbook/gitbook-reading.ts')).gitbookContentsReading,
      (await import('./gitbook/gitbook-config-links.ts')).redirectReading,
    ],
  },
  {
    name: 'docusaurus',
    markers: [
      'docusaurus.config.ts',
      'docusaurus.config.js',
      'docusaurus.config.mts',
      'docusaurus.config.mjs',
      'docusaurus.config.cts',
      'docusaurus.config.cjs',
    ],
    load: async () => builtFormat((await import('./docusaurus/docusaurus-format.ts')).docusaurusFormat),
    loadMoves: async () => (await import('./docusaurus/docusaurus-moves.ts')).docusaurusMoves,
    loadDialect: async () => (await import('./docusaurus/docusaurus-dialect.ts')).docusaurusDialect,
    loadReadings: async () => {
      const { mdxReadingWithCase, markdownReadingWithCase } = await import(
        './docusaurus/docusaurus-reading.ts'
      );
      const { siteConfigReading, sidebarsReading } = await import('./docusaurus/docusaurus-config-links.ts');
      return [mdxReadingWithCase, markdownReadingWithCase, siteConfigReading, sidebarsReading];
    },
  },
  {
    name: 'starlight',
    markers: [
      'astro.config.mjs',
      'astro.config.js',
      'astro.config.ts',
      'astro.config.mts',
      'astro.config.cjs',
    ],
    load: async () => builtFormat((await import('./starlight/starlight-format.ts')).starlightFormat),
    loadMoves: async () => (await import('./starlight/starlight-moves.ts')).starlightMoves,
    loadDialect: async () => (await import('./starlight/starlight-dialect.ts')).starlightDialect,
    loadReadings: async () => {
      const readings = await import('./starlight/starlight-config-links.ts');
      return [readings.starlightConfigReading, readings.starlightModuleReading];
    },
  },
  {
    name: 'github',
    markers: [],
    load: async () => withHostShownPages((await import('./github/github-format.ts')).githubFormat),
    loadReadings: async () => {
      const { plainMdxReading } = await import('./github/github-format.ts');
      return [plainMdxReading, mystReading, templateReading, gravReading, hugoReading];
    },
  },
];

/** The format of a builder, with what holds for all of them. */
function builtFormat(format: Format, options?: Parameters<typeof withForeignParts>[1]): Format {
  return withHostShownPages(withForeignParts(withBuild(format), options));
}

/** Loads a format's folder. */
export function loadFormat(name: FormatName): Promise<Format> {
  const row: FormatRow | undefined = formats.find((format) => format.name === name);
  if (row === undefined) throw new Error(`There is no format “${name}”.`);
  return row.load();
}

/** Loads what a format changes besides links when files move; null for a format that changes nothing else. */
export async function loadFormatMoves(name: FormatName): Promise<FormatMoves | null> {
  const row: FormatRow | undefined = formats.find((format) => format.name === name);
  return (await row?.loadMoves?.()) ?? null;
}
