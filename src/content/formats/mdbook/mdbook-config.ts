import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { readToml, type TomlTable, tomlAt } from '../read-toml.ts';
import { asText } from '../untyped-values.ts';

/** The settings of a `book.toml` (https://rust-lang.github.io/mdBook/format/configuration/index.html). */
export interface BookConfig {
  readonly title: string | null;
  /** The folder that contains `SUMMARY.md` and the chapters; null when it is outside the repository. */
  readonly source: RepoPath | null;
  /** The path of the book on its host, with a slash at each end; null when the configuration does not set it. */
  readonly base: string | null;
  /** Redirected addresses below the book's root, without leading slash; those with a fragment are of existing pages. */
  readonly redirects: ReadonlySet<string>;
  /** Addresses below the book's root of pages that the builder generates in addition to the chapters. */
  readonly generated: ReadonlySet<string>;
  /** The file in the source folder that becomes the page for missing addresses; null when there is none. */
  readonly notFound: string | null;
  /** Whether `{{#include}}` and similar directives are executed. */
  readonly includes: boolean;
  /** Whether a `README.md` is published as its folder's `index.html`. */
  readonly renamesReadme: boolean;
}

/** Reads the configuration of the book in `directory`; a missing or invalid one has the builder's defaults. */
export function readBookConfig(repository: RepositoryFiles, directory: string): BookConfig {
  const path = directory === '' ? 'book.toml' : `${directory}/book.toml`;
  const values: TomlTable = readToml(repository.text(path) ?? '') ?? {};
  const html = tomlAt(values, 'output', 'html');
  const source = resolvePath(path, asText(tomlAt(values, 'book', 'src')) ?? 'src');
  const notFoundInput = tomlAt(html, 'input-404');
  const usesDefaults = tomlAt(values, 'build', 'use-default-preprocessors') !== false;
  const hasPreprocessor = (name: string) =>
    usesDefaults || tomlAt(values, 'preprocessor', name) !== undefined;
  const redirects = Object.keys(tomlAt(html, 'redirect') ?? {}).map((key) => key.replace(/^\/+/, ''));
  return {
    title: asText(tomlAt(values, 'book', 'title')),
    source: source.inside ? source.path : null,
    base: readBase(asText(tomlAt(html, 'site-url'))),
    redirects: new Set(redirects),
    generated: new Set([
      '',
      'index.html',
      'toc.html',
      ...(tomlAt(html, 'print', 'enable') === false ? [] : ['print.html']),
      ...(notFoundInput === '' ? [] : ['404.html']),
    ]),
    notFound: notFoundInput === '' ? null : (asText(notFoundInput) ?? '404.md'),
    includes: hasPreprocessor('links'),
    renamesReadme: hasPreprocessor('index'),
  };
}

function readBase(siteUrl: string | null): string | null {
  if (siteUrl === null) return null;
  const path = /^https?:\/\//i.test(siteUrl) && URL.canParse(siteUrl) ? new URL(siteUrl).pathname : siteUrl;
  return `/${path}/`.replace(/\/{2,}/g, '/');
}
