import type { RepoPath } from '../../model.ts';
import { resolvePath } from '../../tree/relative-path.ts';
import type { RepositoryFiles } from '../format.ts';
import { readToml } from './read-toml.ts';

/** What a `book.toml` says (https://rust-lang.github.io/mdBook/format/configuration/index.html). */
export interface BookConfig {
  readonly title: string | null;
  /** The folder that holds `SUMMARY.md` and the chapters; null when it is outside the repository. */
  readonly source: RepoPath | null;
  /** Where the book stands on its host, with slashes at both ends; null when the configuration does not say. */
  readonly base: string | null;
  /** Addresses below the book's root that lead on, without leading slash. */
  readonly redirects: ReadonlySet<string>;
  /** Whether a `README.md` is published as its folder's `index.html`. */
  readonly renamesReadme: boolean;
}

/** Reads the configuration of the book in `directory`; a book without one has the builder's defaults. */
export function readBookConfig(repository: RepositoryFiles, directory: string): BookConfig {
  const path = directory === '' ? 'book.toml' : `${directory}/book.toml`;
  const values = readToml(repository.text(path) ?? '');
  const source = resolvePath(path, textOf(values.get('book.src')) ?? 'src');
  const usesDefaults = values.get('build.use-default-preprocessors') !== false;
  const redirects = [...values.keys()]
    .filter((key) => key.startsWith('output.html.redirect.'))
    .map((key) => key.slice('output.html.redirect.'.length).replace(/^\/+/, ''));
  return {
    title: textOf(values.get('book.title')),
    source: source.inside ? source.path : null,
    base: readBase(textOf(values.get('output.html.site-url'))),
    redirects: new Set(redirects),
    renamesReadme: usesDefaults || [...values.keys()].some((key) => key.startsWith('preprocessor.index.')),
  };
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function readBase(siteUrl: string | null): string | null {
  if (siteUrl === null) return null;
  const path = /^https?:\/\//i.test(siteUrl) && URL.canParse(siteUrl) ? new URL(siteUrl).pathname : siteUrl;
  return `/${path}/`.replace(/\/{2,}/g, '/');
}
