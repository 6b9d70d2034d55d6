import { readFileSync } from 'node:fs';

interface Row {
  readonly name: string;
  readonly kept: string;
}

/** The tables of `docs/operation.md` about what is kept: each name in backticks of the first column is a row. */
export function documentedRetention(): { readonly tables: readonly Row[]; readonly folders: readonly Row[] } {
  const text = readFileSync(new URL('../../docs/operation.md', import.meta.url), 'utf8');
  const chapter = text.split('\n## ').find((part) => part.startsWith('What is kept')) ?? '';
  const rowsBelow = (heading: string) => {
    const [, below = ''] = chapter.split(`| ${heading} |`);
    return below
      .split('\n\n')[0]
      ?.split('\n')
      .flatMap((line) => {
        const [, names = '', kept = ''] = line.split('|');
        return [...names.matchAll(/`([^`]+)`/g)].map((match) => ({ name: match[1] ?? '', kept }));
      });
  };
  return { tables: rowsBelow('table') ?? [], folders: rowsBelow('folder or file') ?? [] };
}
