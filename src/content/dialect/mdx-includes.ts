import { skipFrontMatter } from '../text/index.ts';
import type { Includes } from './include.ts';
import { SourceText } from './source-text.ts';

/** `import Part from './_part.mdx'`, on a line of its own. */
const IMPORT =
  /^[ \t]*import\s+([A-Z][\w$]{0,100})\s+from\s+(['"])([^'"\n]{1,500}\.mdx?)\2[ \t]*;?[ \t]*\r?$/gm;

/** `<Part />` or `<Part></Part>`, with what is given to it, on lines of their own. */
const ELEMENT = /^([ \t]*)(<([A-Z][\w$]{0,100})(?:\s[^<>]{0,2000}?)?(?:\/>|>[ \t]*<\/\3>))[ \t]*\r?$/gm;

/** Files that an MDX page imports as components stand where it names them; what is given to them is not shown. */
export function mdxIncludes(source: string): Includes {
  const text = new SourceText(source);
  const inCode = (offset: number) => text.isCode(text.placeAt('', offset).line);
  const targets = new Map<string, string>();
  for (const { index, 1: name = '', 3: target = '' } of source.matchAll(IMPORT)) {
    if (!inCode(index)) targets.set(name, target);
  }
  if (targets.size === 0) return { includes: [] };
  const includes = [...source.matchAll(ELEMENT)].flatMap(
    ({ index, 1: indent = '', 2: element = '', 3: name = '' }) => {
      const target = targets.get(name);
      if (target === undefined || inCode(index)) return [];
      const start = index + indent.length;
      return {
        start,
        end: start + element.length,
        target,
        take({ text }: { readonly text: string }) {
          const first = skipFrontMatter(text.split('\n')) + 1;
          return { kind: 'lines', covers: (line: number) => line >= first, indent, isApart: true } as const;
        },
      };
    },
  );
  return { includes };
}
