import type { HeadingNamer } from '../../text/index.ts';
import type { HeadingOptions } from './heading-options.ts';

/**
 * Heading ids as Python-Markdown's table of contents gives them (its documentation, extensions/toc): the text as
 * `slugify` says, repeats counted with `_1`, `_2`; `{#id}` at the end when attribute lists are on.
 */
export function mkdocsHeadings(options: HeadingOptions): () => HeadingNamer {
  return () => {
    const taken = new UniqueNames();
    return {
      leavesHtml: true,
      name(text) {
        const { id, rest } = options.attributes ? cutAttributes(text) : { id: null, rest: text };
        if (id !== null) {
          taken.add(id);
          return { names: [id], text: rest };
        }
        return { names: [taken.take(slugOf(rest, options))], text: rest };
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

/** A text as the site's function makes a name of it. */
export function slugOf(text: string, { slugs, separator }: HeadingOptions): string {
  if (slugs === 'words' || slugs === 'lower-words') {
    const kept = text
      .normalize('NFC')
      .trim()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', separator);
    return slugs === 'words' ? kept : kept.toLowerCase();
  }
  const letters = slugs === 'unicode' ? text : text.normalize('NFKD').replace(/[^\p{ASCII}]/gu, '');
  const kept = letters
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .trim()
    .toLowerCase();
  const gaps = new RegExp(`[${separator.replace(/[\\\]^-]/g, '\\$&')}\\s]+`, 'g');
  return kept.replace(gaps, () => separator);
}

/** Names of one page. Where the search for a free one ended is kept, so that thousands of repeats stay cheap. */
class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, string>();

  add(name: string): void {
    this.#taken.add(name);
  }

  take(name: string): string {
    let unique = this.#last.get(name) ?? name;
    while (unique === '' || this.#taken.has(unique)) {
      const counted = /^(.*)_(\d+)$/s.exec(unique);
      unique = counted === null ? `${unique}_1` : `${counted[1]}_${Number(counted[2]) + 1}`;
    }
    this.#last.set(name, unique);
    this.#taken.add(unique);
    return unique;
  }
}
