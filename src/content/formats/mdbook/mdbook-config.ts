import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { resolvePath, type TreeIndex } from '../../tree/index.ts';
import { asRecord, asText, valueUnder } from '../untyped-values.ts';

/** The settings of a `book.toml` (https://rust-lang.github.io/mdBook/format/configuration/index.html). */
export interface BookConfig {
  /** Why it could not be read within the limits of time and memory; null where it was read, and where it is invalid. */
  readonly problem: string | null;
  readonly title: string | null;
  /** The folder that contains `SUMMARY.md` and the chapters; null when it is outside the repository. */
  readonly source: RepoPath | null;
  /** The path of the book on its host, with a slash at each end; null when the configuration does not set it. */
  readonly base: string | null;
  /** Redirected addresses below the book's root, without leading slash; those with a fragment are of existing pages. */
  readonly redirects: ReadonlyMap<string, string>;
  /** Addresses below the book's root of pages that the builder generates in addition to the chapters. */
  readonly generated: ReadonlySet<string>;
  /** The file in the source folder that becomes the page for missing addresses; null when there is none. */
  readonly notFound: string | null;
  /** Whether `{{#include}}` and similar directives are executed. */
  readonly includes: boolean;
  /** A preprocessor that may write links and anchors of its own; null when there is none. */
  readonly ownPreprocessor: string | null;
  /** An output besides the site that may make files beside it; null when there is none. */
  readonly ownOutput: string | null;
  /** Identifies what preprocessors of its own may write. */
  generator(index: TreeIndex): string;
  /** Whether a `README.md` is published as its folder's `index.html`. */
  readonly renamesReadme: boolean;
}

/** Reads the configuration of the book in `directory`; a missing or invalid one has the builder's defaults. */
export function readBookConfig(repository: RepositoryFiles, directory: string): BookConfig {
  const path = directory === '' ? 'book.toml' : `${directory}/book.toml`;
  const file = repository.toml(path);
  const values = file?.values;
  const html = valueUnder(values, 'output', 'html');
  const source = resolvePath(path, asText(valueUnder(values, 'book', 'src')) ?? 'src');
  const notFoundInput = valueUnder(html, 'input-404');
  const usesDefaults = valueUnder(values, 'build', 'use-default-preprocessors') !== false;
  const hasPreprocessor = (name: string) =>
    usesDefaults || valueUnder(values, 'preprocessor', name) !== undefined;
  const own = ownPreprocessors(valueUnder(values, 'preprocessor'));
  const redirects = Object.entries(asRecord(valueUnder(html, 'redirect'))).map(
    ([key, to]) => [key.replace(/^\/+/, ''), asText(to) ?? ''] as const,
  );
  return {
    problem: file?.isRead === true ? file.error : null,
    title: asText(valueUnder(values, 'book', 'title')),
    source: source.inside ? source.path : null,
    base: readBase(asText(valueUnder(html, 'site-url'))),
    redirects: new Map(redirects),
    generated: new Set([
      '',
      'index.html',
      'toc.html',
      ...(valueUnder(html, 'print', 'enable') === false ? [] : ['print.html']),
      ...(notFoundInput === '' ? [] : ['404.html']),
    ]),
    notFound: notFoundInput === '' ? null : (asText(notFoundInput) ?? '404.md'),
    includes: hasPreprocessor('links'),
    ownPreprocessor: Object.keys(own)[0] ?? null,
    ownOutput:
      Object.keys(asRecord(valueUnder(values, 'output'))).find((name) => !OUTPUTS_WITHOUT_FILES.has(name)) ??
      null,
    generator: (index) => preprocessorKey(own, directory, index),
    renamesReadme: hasPreprocessor('index'),
  };
}

/** Preprocessors that make neither links nor anchors to which pages link. */
const HARMLESS = new Set(
  `links index mermaid admonish katex pagetoc toc alerts callouts d2 plantuml graphviz svgbob emojicodes linkcheck quiz
  open-on-gh last-changed trpl-note trpl-figure i18n gettext image-size codeblocks`.split(/\s+/),
);

/** Outputs that make the site itself, or nothing that it could show. */
const OUTPUTS_WITHOUT_FILES = new Set(['html', 'linkcheck', 'linkcheck2', 'xgettext', 'markdown']);

function ownPreprocessors(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(asRecord(value)).filter(([name]) => !HARMLESS.has(name)));
}

/** The settings of preprocessors, and the files of the folders that their commands name. */
function preprocessorKey(
  own: Readonly<Record<string, unknown>>,
  directory: string,
  index: TreeIndex,
): string {
  const files = Object.values(own).flatMap((options) =>
    (asText(asRecord(options)['command']) ?? '').split(/[\s="']+/).flatMap((word) => {
      const path = resolvePath(directory === '' ? 'x' : `${directory}/x`, word);
      return path.inside ? (index.entry(path.path)?.oid ?? []) : [];
    }),
  );
  return JSON.stringify([own, files]);
}

function readBase(siteUrl: string | null): string | null {
  if (siteUrl === null) return null;
  const path = /^https?:\/\//i.test(siteUrl) && URL.canParse(siteUrl) ? new URL(siteUrl).pathname : siteUrl;
  return `/${path}/`.replace(/\/{2,}/g, '/');
}
