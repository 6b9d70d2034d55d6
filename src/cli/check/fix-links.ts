import path from 'node:path';
import { type Rewritten, rewriteDestinations } from '../../content/fix/index.ts';
import type { CheckedLink, CheckResult } from './check-result.ts';
import { number, printable } from './print/report.ts';
import { type OpenText, openText, replaceText } from './text-file.ts';

export interface Fixed {
  /** What was changed, and what could not be, for people. */
  readonly tell: string;
  readonly changed: boolean;
}

/**
 * Writes what the check suggests into the files: one destination each, where it stands, and nothing else. With a base
 * only for the links that the change broke, so that it stays what it is about.
 */
export async function fixLinks({ root, links, base }: CheckResult): Promise<Fixed> {
  const wanted = links.flatMap((link) =>
    link.suggestion === null || (base !== null && link.change !== 'introduced')
      ? []
      : [{ ...link, to: link.suggestion }],
  );
  const lines: string[] = [];
  let changes = 0;
  let files = 0;
  for (const [file, edits] of Map.groupBy(wanted, (link) => link.file)) {
    const { applied, refused, problem } = await fixFile(path.join(root, file), edits);
    for (const edit of applied) lines.push(`  ${say(edit)}`);
    for (const edit of refused) lines.push(`  ${say(edit)}  not changed: ${problem ?? 'change it by hand'}`);
    changes += applied.length;
    if (applied.length > 0) files += 1;
  }
  const heading =
    changes === 0
      ? 'Nothing was changed.'
      : `Changed ${number(changes, 'link')} in ${number(files, 'file')}:`;
  return { tell: `${[heading, ...lines].join('\n')}\n\n`, changed: changes > 0 };
}

type Edit = CheckedLink & { readonly to: string };

interface FixedFile extends Pick<Rewritten<Edit>, 'applied' | 'refused'> {
  readonly problem?: string;
}

async function fixFile(file: string, edits: readonly Edit[]): Promise<FixedFile> {
  const refuse = (problem: string): FixedFile => ({ applied: [], refused: edits, problem });
  const text: OpenText | null = await openText(file);
  if (text === null) return refuse('the file is not UTF-8, or cannot be read');
  const { source, applied, refused } = rewriteDestinations(text.source, edits);
  if (applied.length === 0) return { applied, refused };
  const problem = await replaceText(text, source);
  return problem === null ? { applied, refused } : refuse(problem);
}

function say({ file, line, target, to }: Edit): string {
  return printable(`${file}:${line}  ${target} → ${to}`);
}
