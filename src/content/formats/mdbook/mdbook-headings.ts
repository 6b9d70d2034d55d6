import type { HeadingNamer } from '../../text/index.ts';
import { splitHeadingAttributes } from '../heading-attributes.ts';
import { UniqueNames } from '../unique-names.ts';

/**
 * Names headings as mdBook does (https://rust-lang.github.io/mdBook/format/markdown.html#heading-attributes): an explicit
 * `{#id}`, or else the text in lower case with letters, digits, `_` and `-`, every space a dash, repeats numbered with
 * `-1`, `-2`, and `section` if nothing is left. An explicit id does not count as a repeat. Releases before 0.5 lowered
 * only ASCII letters, so that name is valid, too.
 */
export function mdbookHeadings(): HeadingNamer {
  const used = new UniqueNames();
  return {
    name(written) {
      const { text, id } = splitHeadingAttributes(written);
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
