import { createConfigReading } from '../../facts/index.ts';
import { brokenVerdict, type LinkRules, linkVerdict } from '../../format-port/index.ts';
import { type Book, mdbookRules } from './mdbook-rules.ts';
import { tomlEntries } from './toml-entries.ts';

const TABLE = 'output.html.redirect.';

/**
 * Reads the destinations of `[output.html.redirect]` in `book.toml` as links. The text of each link is the redirected
 * address.
 */
export const bookConfigReading = createConfigReading('mdbook-config', (text) =>
  [...tomlEntries(text)].flatMap(({ key, value, start, end }) =>
    key.startsWith(TABLE) && typeof value === 'string'
      ? [{ carrier: 'redirect', target: value, text: key.slice(TABLE.length), start, end }]
      : [],
  ),
);

/**
 * The rules of `book.toml`: a browser resolves the target of a redirect against the redirected address, and the builder
 * does not rewrite it (https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect).
 */
export function bookConfigRules(book: Book): LinkRules {
  const { paths } = book;
  return {
    ...mdbookRules(book),
    resolve(file, reference) {
      const { source } = paths;
      const key = reference.text.replace(/^\/+/, '').replace(/#[\s\S]*$/, '');
      const from = source === '' ? key : `${source}/${key}`;
      const resolution = mdbookRules(book, from).resolve(file, reference);
      if (resolution.kind === 'verdict') return resolution;
      const [path] = resolution.candidates;
      if (!/\.md(?:[?#]|$)/.test(reference.target)) return resolution;
      if (paths.inside(path) === null) return linkVerdict('unchecked', 'The redirect leads out of the book.');
      const address = reference.target.replace(/\.md(?=[?#]|$)/, '.html');
      const message = `A redirect leads to an address, and ${reference.target} is none: chapters are published as .html.`;
      return brokenVerdict('missing-page', message, paths.chapters.has(path) ? address : null);
    },
  };
}
