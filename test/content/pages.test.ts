import { describe, expect, it } from 'vitest';
import { loadFormat } from '../../src/content/formats/index.ts';
import type { Page } from '../../src/content/index.ts';
import { analysisOf, type SmallTree } from './analysis-of.ts';
import { describePages } from './fixture-cases.ts';
import { rowsOf } from './fixture-tables.ts';

interface PagesCase extends SmallTree {
  readonly directory?: string;
  readonly siblings?: readonly string[];
  readonly pages: string;
  readonly assets?: readonly string[];
  /** By path in the navigation. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The files of the notices; none when absent. */
  readonly notices?: readonly string[];
  readonly space?: unknown;
}

function findPage(pages: readonly Page[], path: string): Page | undefined {
  for (const page of pages) {
    const found = page.path === path ? page : findPage(page.pages, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('pages', () => {
  it.each(rowsOf<PagesCase>('pages.yaml'))('%s', async (_name, name, one) => {
    const analysis = analysisOf(one, {
      name,
      format: await loadFormat(name),
      directory: one.directory ?? '',
      ...(one.siblings === undefined ? {} : { siblingDirectories: one.siblings }),
    });
    expect(describePages(analysis.pages)).toBe(one.pages);
    if (one.assets !== undefined) expect(analysis.assets.map((asset) => asset.path)).toEqual(one.assets);
    for (const [path, settings] of Object.entries(one.settings ?? {})) {
      expect(findPage(analysis.pages, path)?.settings, path).toEqual(settings);
    }
    expect(analysis.notices.map(({ file }) => file)).toEqual(one.notices ?? []);
    const { reusable, variables, redirects } = analysis.settings;
    const space = {
      reusable: reusable.map(({ path, title }) => ({ path, title })),
      variables,
      redirects: Object.fromEntries(redirects),
    };
    if (one.space !== undefined) expect(space).toEqual(one.space);
  });
});
