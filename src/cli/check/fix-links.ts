import path from 'node:path';
import { type Rewritten, rewriteDestinations } from '../../content/fix/index.ts';
import { firstOfEachFile } from '../../content/text/index.ts';
import type { CheckedLink, CheckResult, Redirects } from './check-result.ts';
import { number, printable } from './print/report.ts';
import { createText, type OpenText, openText, replaceText } from './text-file.ts';

export interface Fixed {
  /** What was changed, and what could not be, for people. */
  readonly report: string;
  readonly changed: boolean;
}

/**
 * Writes the suggestions of the check into the files: only the destinations, each where it is. With a base only for the
 * links that the change broke, so that the change stays limited to its subject, and redirects for the addresses that it
 * removes.
 */
export async function fixLinks({ root, links, redirects, base }: CheckResult): Promise<Fixed> {
  const wanted = links.flatMap((link) =>
    link.suggestion === null || (base !== null && link.change !== 'introduced')
      ? []
      : [{ ...link, to: link.suggestion }],
  );
  const lines: string[] = [];
  let changes = 0;
  let written = 0;
  let files = 0;
  const byFile = Map.groupBy(wanted, (link) => link.file);
  const redirectsOf = firstOfEachFile(redirects);
  for (const file of new Set([...byFile.keys(), ...redirectsOf.keys()])) {
    const redirect = redirectsOf.get(file);
    const { applied, refused, problem } = await fixFile(
      path.join(root, file),
      byFile.get(file) ?? [],
      redirect,
    );
    const entries =
      redirect?.entries.map(({ from, to }) => `  ${printable(`${file}  ${from} → ${to}`)}`) ?? [];
    const isDone = problem === undefined;
    for (const edit of applied) lines.push(`  ${describeEdit(edit)}`);
    for (const entry of entries) lines.push(isDone ? entry : `${entry}  not written: ${problem}`);
    for (const edit of refused)
      lines.push(`  ${describeEdit(edit)}  not changed: ${problem ?? 'change it by hand'}`);
    changes += applied.length;
    if (isDone) written += entries.length;
    if (applied.length > 0 || (isDone && entries.length > 0)) files += 1;
  }
  const done = [
    ...(changes > 0 ? [`changed ${number(changes, 'link')}`] : []),
    ...(written > 0 ? [`wrote ${number(written, 'redirect')}`] : []),
  ].join(' and ');
  const heading = done === '' ? 'Nothing was changed.' : `${capital(done)} in ${number(files, 'file')}:`;
  return { report: `${[heading, ...lines].join('\n')}\n\n`, changed: done !== '' };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Edit = CheckedLink & { readonly to: string };

interface FixedFile extends Pick<Rewritten<Edit>, 'applied' | 'refused'> {
  readonly problem?: string;
}

async function fixFile(
  file: string,
  edits: readonly Edit[],
  redirect: Redirects | undefined,
): Promise<FixedFile> {
  const refuse = (problem: string): FixedFile => ({ applied: [], refused: edits, problem });
  // In a file that the tree does not have, only the redirects change.
  if (redirect?.isNew) {
    const problem = await createText(file, redirect.text);
    return problem === null ? { applied: [], refused: [] } : refuse(problem);
  }
  const text: OpenText | null = await openText(file);
  if (text === null) return refuse('the file is not UTF-8, or cannot be read');
  const redirects = redirect === undefined ? [] : [redirect];
  const { source, applied, refused } = rewriteDestinations(text.source, edits, redirects);
  if (source === text.source) return { applied, refused };
  const problem = await replaceText(text, source);
  return problem === null ? { applied, refused } : refuse(problem);
}

function describeEdit({ file, line, target, to }: Edit): string {
  return printable(`${file}:${line}  ${target} → ${to}`);
}
