import type { HeadingNamer } from '../../facts/heading-names.ts';

/** `{#id .class key=value}` at the end of a heading. */
const ATTRIBUTES = /\s*\{([^{}]*)\}\s*$/;

/**
 * mdBook's heading ids (https://rust-lang.github.io/mdBook/format/markdown.html#heading-attributes): an explicit
 * `{#id}`, else the text in lower case with letters, digits, `_` and `-`, every space a dash, repeats counted with `-1`,
 * `-2`. Releases before 0.5 lowered only ASCII letters, so that name leads there too.
 */
export function mdbookHeadings(): HeadingNamer {
  const used = new Set<string>();
  return {
    name(text) {
      const attributes = ATTRIBUTES.exec(text);
      const said = attributes?.[1] ?? '';
      const isAttributes =
        attributes !== null &&
        /^\s*(?:[#.][^\s#.]+\s*|[\w-]+(?:=\S*)?\s*)+$/.test(said) &&
        /[#.=]/.test(said);
      const plain = isAttributes ? text.slice(0, attributes.index) : text;
      const explicit = isAttributes ? /(?:^|\s)#([^\s#.]+)/.exec(said)?.[1] : undefined;
      if (explicit !== undefined) {
        used.add(explicit);
        return { names: [explicit], text: plain };
      }
      const name = unique(
        idOf(plain, (letter) => letter.toLowerCase()),
        used,
      );
      const older = idOf(plain, (letter) => (letter <= '\x7f' ? letter.toLowerCase() : letter));
      return {
        names: older === idOf(name, (letter) => letter) || name.startsWith(older) ? [name] : [name, older],
        text: plain,
      };
    },
  };
}

function idOf(text: string, lower: (letter: string) => string): string {
  let id = '';
  for (const letter of text.trim()) {
    if (/[\p{Alphabetic}\p{N}_-]/u.test(letter)) id += lower(letter);
    else if (/\s/.test(letter)) id += '-';
  }
  return id;
}

function unique(id: string, used: Set<string>): string {
  let name = id;
  for (let count = 1; used.has(name); count += 1) name = `${id}-${count}`;
  used.add(name);
  return name;
}
