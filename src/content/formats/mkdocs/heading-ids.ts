import type { HeadingNamer } from '../../text/index.ts';
import type { HeadingOptions } from './heading-options.ts';

/**
 * Names headings as Python-Markdown's table of contents does (its documentation, extensions/toc): the text through
 * `slugify`, repeats numbered with `_1`, `_2`; with attribute lists, `{#id}` at the end is the id.
 */
export function mkdocsHeadings(options: HeadingOptions): () => HeadingNamer {
  return () => {
    const used = new UniqueIds();
    return {
      leavesHtml: true,
      name(text) {
        const { id, rest } = options.attributes ? cutAttributes(text) : { id: null, rest: text };
        if (id !== null) {
          used.reserve(id);
          return { names: [id], text: rest };
        }
        return { names: [used.next(slugOf(rest, options))], text: rest };
      },
    };
  };
}

/** The id of an attribute list such as `{: #id .class}` at the end of a text. */
function cutAttributes(text: string): { readonly id: string | null; readonly rest: string } {
  const open = text.lastIndexOf('{');
  const list = open === -1 ? null : /^\{:?([^{}\n]*)\}\s*$/.exec(text.slice(open));
  if (list === null) return { id: null, rest: text };
  return { id: idsOf(list[1] ?? '').at(-1) ?? null, rest: text.slice(0, open).trimEnd() };
}

/** The ids that an attribute list sets. */
export function idsOf(list: string): readonly string[] {
  return [...list.matchAll(/(?:^|\s)(?:#([^\s=#.{}]\S*)|id=["']?([^\s"']+))/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

/** Turns a text into a name with the site's slug function. */
export function slugOf(text: string, { slugs, separator }: HeadingOptions): string {
  if (slugs === 'words' || slugs === 'lower-words') {
    const words = text
      .normalize('NFC')
      .trim()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', separator);
    return slugs === 'words' ? words : words.toLowerCase();
  }
  const letters = slugs === 'unicode' ? text : text.normalize('NFKD').replace(/[^\p{ASCII}]/gu, '');
  const plain = letters
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .trim()
    .toLowerCase();
  const gaps = new RegExp(`[${separator.replace(/[\\\]^-]/g, '\\$&')}\\s]+`, 'g');
  return plain.replace(gaps, () => separator);
}

/**
 * Makes names unique within a page. Remembers the last name that it returned for each, so that thousands of repeats
 * stay cheap.
 */
class UniqueIds {
  readonly #used = new Set<string>();
  readonly #last = new Map<string, string>();

  reserve(name: string): void {
    this.#used.add(name);
  }

  next(name: string): string {
    let unique = this.#last.get(name) ?? name;
    while (unique === '' || this.#used.has(unique)) {
      const counted = /^(.*)_(\d+)$/s.exec(unique);
      unique = counted === null ? `${unique}_1` : `${counted[1]}_${Number(counted[2]) + 1}`;
    }
    this.#last.set(name, unique);
    this.#used.add(unique);
    return unique;
  }
}
