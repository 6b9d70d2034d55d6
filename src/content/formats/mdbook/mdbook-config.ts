import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { readToml, type TomlTable, tomlAt } from '../read-toml.ts';

/** What a `book.toml` says (https://rust-lang.github.io/mdBook/format/configuration/index.html). */
export interface BookConfig {
  readonly title: string | null;
  /** The folder that holds `SUMMARY.md` and the chapters; null when it is outside the repository. */
  readonly source: RepoPath | null;
  /** Where the book stands on its host, with slashes at both ends; null when the configuration does not say. */
  readonly base: string | null;
  /** Addresses below the book's root that lead on, without leading slash; those with a fragment are of pages that are there. */
  readonly redirects: ReadonlySet<string>;
  /** Pages that the builder makes beside the chapters, below the book's root. */
  readonly generated: ReadonlySet<string>;
  /** The file in the source folder that becomes the page for missing addresses; null when there is none. */
  readonly notFound: string | null;
  /** Whether `{{#include}}` and its kin are carried out. */
  readonly includes: boolean;
  /** Whether a `README.md` is published as its folder's `index.html`. */
  readonly renamesReadme: boolean;
}

/** Reads the configuration of the book in `directory`; a book without one has the builder's defaults. */
export function readBookConfig(repository: RepositoryFiles, directory: string): BookConfig {
  const path = directory === '' ? 'book.toml' : `${directory}/book.toml`;
  const values: TomlTable = readToml(repository.text(path) ?? '') ?? {};
  const html = tomlAt(values, 'output', 'html');
  const source = resolvePath(path, textOf(tomlAt(values, 'book', 'src')) ?? 'src');
  const saysNotFound = tomlAt(html, 'input-404');
  const usesDefaults = tomlAt(values, 'build', 'use-default-preprocessors') !== false;
  const hasPreprocessor = (name: string) =>
    usesDefaults || tomlAt(values, 'preprocessor', name) !== undefined;
  const redirects = Object.keys(tomlAt(html, 'redirect') ?? {}).map((key) => key.replace(/^\/+/, ''));
  return {
    title: textOf(tomlAt(values, 'book', 'title')),
    source: source.inside ? source.path : null,
    base: readBase(textOf(tomlAt(html, 'site-url'))),
    redirects: new Set(redirects),
    generated: new Set([
      '',
      'index.html',
      'toc.html',
      ...(tomlAt(html, 'print', 'enable') === false ? [] : ['print.html']),
      ...(saysNotFound === '' ? [] : ['404.html']),
    ]),
    notFound: saysNotFound === '' ? null : (textOf(saysNotFound) ?? '404.md'),
    includes: hasPreprocessor('links'),
    renamesReadme: hasPreprocessor('index'),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function readBase(siteUrl: string | null): string | null {
  if (siteUrl === null) return null;
  const path = /^https?:\/\//i.test(siteUrl) && URL.canParse(siteUrl) ? new URL(siteUrl).pathname : siteUrl;
  return `/${path}/`.replace(/\/{2,}/g, '/');
}
