import path from 'node:path';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';

export interface BacklinksOptions {
  readonly format: 'pretty' | 'json';
}

/** Tells every link of the repository that leads to a file. Throws `UsageError` when there is no such file. */
export async function runBacklinks(
  said: string,
  { format }: BacklinksOptions,
  io: CommandIo,
): Promise<ExitCode> {
  const { analyseAll } = await import('../check/analyse-all.ts');
  const { openSpaces } = await import('../check/open-spaces.ts');
  const { readFrom } = await import('../check/read-from.ts');
  const { insideRoot, locate } = await import('../check/scopes.ts');
  const { openWorkTree } = await import('../check/work-tree.ts');
  const { number, printable } = await import('../check/print/report.ts');
  const { createEngine } = await import('../../content/index.ts');
  const scope = await locate(said, io.cwd);
  const around = await openWorkTree(scope.folder, io.signal);
  // Without git nothing says where the docs begin: then it is the current folder, where it holds the file.
  const isBelow = !path.relative(io.cwd, scope.absolute).startsWith('..');
  const tree = around.isGit || !isBelow ? around : await openWorkTree(io.cwd, io.signal);
  const file = insideRoot(scope, tree.root);
  if (!tree.entries.some((entry) => entry.path === file)) {
    throw new UsageError(`${said} is not a file that the repository holds. Name a page or another file.`);
  }
  const { spaces } = await openSpaces(tree, null, io.cwd);
  const all = await analyseAll(createEngine(), { tree: tree.entries, spaces, read: readFrom(tree) });
  const links = all.filter((link) => link.resolved?.path === file && link.file !== file);
  if (format === 'json') {
    const told = links.map(({ file: from, line, column, endLine, endColumn, target, text, status }) => {
      return { file: from, line, column, endLine, endColumn, target, text, status };
    });
    io.stdout.write(`${JSON.stringify({ version: 1, root: tree.root, file, links: told })}\n`);
    return 0;
  }
  const lines = links.map((link) => {
    const note = link.status === 'broken' ? `  ${link.message ?? ''}` : '';
    return printable(`${link.file}:${link.line}:${link.column}  ${link.target}${note}`);
  });
  const files = new Set(links.map((link) => link.file)).size;
  const summary = `${number(links.length, 'link')} in ${number(files, 'file')} ${links.length === 1 ? 'leads' : 'lead'} to ${printable(file)}.`;
  io.stdout.write([...lines, ...(lines.length > 0 ? [''] : []), summary, ''].join('\n'));
  return 0;
}
