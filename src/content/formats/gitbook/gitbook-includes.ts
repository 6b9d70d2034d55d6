import { findTags, type Include, type Includes } from '../../dialect/index.ts';
import { skipFrontMatter } from '../../text/index.ts';

/** `{% include "path" %}` on lines of their own. */
export function gitbookIncludes(source: string): Includes {
  return { includes: findTags(source).flatMap((tag) => includeOf(source, tag) ?? []) };
}

function includeOf(
  source: string,
  { name, values, column, start, end }: ReturnType<typeof findTags>[number],
): Include | null {
  const target = values.get('');
  const indent = source.slice(start - (column - 1), start);
  if (name !== 'include' || target === undefined || indent.trim() !== '') return null;
  const newline = source.indexOf('\n', end);
  const rest = source.slice(end, newline === -1 ? source.length : newline);
  if (rest.trim() !== '') return null;
  return {
    start,
    end,
    target,
    extract({ text }) {
      const first = skipFrontMatter(text.split('\n')) + 1;
      return { kind: 'lines', covers: (line) => line >= first, indent, isApart: true };
    },
  };
}
