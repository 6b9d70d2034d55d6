import type { HeadingNamer } from '../../text/index.ts';
import { splitHeadingAttributes } from '../heading-attributes.ts';
import { UniqueNames } from '../unique-names.ts';

/**
 * mdBook's heading ids (https://rust-lang.github.io/mdBook/format/markdown.html#heading-attributes): an explicit
 * `{#id}`, else the text in lower case with letters, digits, `_` and `-`, every space a dash, repeats counted with `-1`,
 * `-2`, and `section` where nothing is left. An explicit id takes no number away from others. Releases before 0.5 lowered
 * only ASCII letters, so that name leads there too.
 */
export function mdbookHeadings(): HeadingNamer {
  const used = new UniqueNames();
  return {
    name(said) {
      const { text, id } = splitHeadingAttributes(said);
      if (id !== null) return { names: [id], text };
      const plain = idOf(text, (letter) => letter.toLowerCase());
      const older = idOf(text, (letter) => (letter <= '\x7f' ? letter.toLowerCase() : letter));
      const name = used.next(plain === '' ? 'section' : plain);
      return { names: older === plain ? [name] : [name, older], text };
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
