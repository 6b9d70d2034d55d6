import { skipFrontMatter } from '../text/index.ts';
import type { Includes } from './include.ts';
import { SourceText } from './source-text.ts';

/** `import Part from './_part.mdx'`, on a separate line. */
const IMPORT =
  /^[ \t]*import\s+([A-Z][\w$]{0,100})\s+from\s+(['"])([^'"\n]{1,500}\.mdx?)\2[ \t]*;?[ \t]*\r?$/gm;

/** `<Part />` or `<Part></Part>`, with its properties, on separate lines. */
const ELEMENT = /^([ \t]*)(<([A-Z][\w$]{0,100})(?:\s[^<>]{0,2000}?)?(?:\/>|>[ \t]*<\/\3>))[ \t]*\r?$/gm;

/** Finds the elements of files that an MDX page imports as components; their properties are ignored. */
export function mdxIncludes(source: string): Includes {
  const text = new SourceText(source);
  const inCode = (offset: number) => text.isCode(text.positionAt('', offset).line);
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
        extract({ text }: { readonly text: string }) {
          const first = skipFrontMatter(text.split('\n')) + 1;
          return { kind: 'lines', covers: (line: number) => line >= first, indent, isApart: true } as const;
        },
      };
    },
  );
  return { includes };
}
