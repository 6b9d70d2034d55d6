import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';

/**
 * Where a destination is being written, up to the cursor: of a link or picture, of a definition, in an attribute, or of
 * an include.
 */
const PLACES = [
  { pattern: /(!?)\[(?:[^\]\\]|\\.)*\]\((<?)([^()\s<>]*)$/, isPicture: (found) => found[1] === '!', at: 3 },
  { pattern: /^ {0,3}\[[^\]]+\]:\s*(<?)([^\s<>]*)$/, isPicture: () => false, at: 2 },
  { pattern: /\b(src|href|url|to)=(["'])([^"'\n]*)$/, isPicture: (found) => found[1] === 'src', at: 3 },
  { pattern: /\{%\s*(include|content-ref url=|file src=)\s*["']([^"'\n]*)$/, isPicture: () => false, at: 2 },
];

/** Completes destinations: pages by title and path, files, and headings after `#`. */
export function completeTargets({ fields, checks }) {
  async function source(context) {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    for (const { pattern, isPicture, at } of PLACES) {
      const found = pattern.exec(before);
      if (found === null) continue;
      const written = found[at];
      if (/^[a-z][a-z\d+.-]*:/i.test(written)) return null;
      return await load(context, written, isPicture(found));
    }
    return null;
  }

  async function load(context, written, isPicture) {
    const hash = written.indexOf('#');
    if (hash === 0) return headingsHere(context, written);
    const address = new URL(`${fields.base}/targets`, location.href);
    address.search = new URLSearchParams({
      path: fields.path,
      cr: fields.cr,
      q: written,
      kind: isPicture ? 'file' : 'any',
    }).toString();
    const aborted = new AbortController();
    context.addEventListener('abort', () => aborted.abort());
    const answer = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: aborted.signal,
    }).catch(() => null);
    if (answer?.ok !== true || context.aborted) return null;
    const { items } = await answer.json();
    return {
      from: context.pos - written.length,
      filter: false,
      options: items.map(({ destination, title, detail, kind }, index) => ({
        label: destination,
        displayLabel: title,
        detail,
        type: kind,
        boost: -index,
      })),
    };
  }

  function headingsHere(context, written) {
    return {
      from: context.pos - written.length,
      options: checks.headings.map(({ name, text, level }) => ({
        label: `#${name}`,
        displayLabel: text,
        detail: 'this page',
        type: 'heading',
        boost: -level,
      })),
      validFor: /^#\S*$/,
    };
  }

  return [
    autocompletion({ override: [source], activateOnTyping: true, icons: false, maxRenderedOptions: 30 }),
    Prec.high(keymap.of(completionKeymap)),
  ];
}
