import { fenced, type Includes } from '../../dialect/index.ts';
import { directivesIn, isPlayground } from './directives.ts';
import { linesInText } from './included-lines.ts';

/**
 * Finds `{{#include file:part}}` and similar directives, also in code. `rustdoc_include` only hides lines from readers,
 * so it includes the lines that it shows.
 */
export function mdbookIncludes(source: string): Includes {
  const includes = [...directivesIn(source)].flatMap(({ name, file, part, start, end }) => {
    if (file === null) return [];
    const info = [
      'rust',
      ...(/\s(.*?)\}\}$/.exec(source.slice(start, end))?.[1] ?? '').split(/\s+/).slice(1),
    ];
    return {
      start,
      end,
      target: file,
      extract({ text }: { readonly text: string }) {
        if (isPlayground(name)) return { kind: 'code', text: fenced(text, info.join(',')) } as const;
        const covers = linesInText(part, text);
        return covers === null ? null : ({ kind: 'lines', covers } as const);
      },
    };
  });
  return { includes };
}
