import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';

export interface BacklinksOptions {
  readonly format: 'pretty' | 'json';
}

/**
 * Lists every link of the repository that leads to a file, with `FILE#anchor` those to one of its headings. Throws
 * `UsageError` when there is no such file.
 */
export async function runBacklinks(
  input: string,
  { format }: BacklinksOptions,
  io: CommandIo,
): Promise<ExitCode> {
  const { openSpaces } = await import('../check/open-spaces.ts');
  const { readFrom } = await import('../check/read-from.ts');
  const { readFactsSafely } = await import('../check/facts-safely.ts');
  const { repositoryAddress } = await import('../check/repository-address.ts');
  const { insideRoot, locateScope } = await import('../check/scopes.ts');
  const { openWorkTree } = await import('../check/work-tree.ts');
  const { number, printable } = await import('../check/print/report.ts');
  const { analyseSpaces, createEngine } = await import('../../content/index.ts');
  const { name, anchor } = await splitAnchor(input, io.cwd);
  const scope = await locateScope(name, io.cwd);
  const around = await openWorkTree(scope.folder, io.signal);
  // Without git nothing says where the docs begin: then it is the current folder, if it contains the file.
  const isBelow = !path.relative(io.cwd, scope.absolute).startsWith('..');
  const tree = around.isGit || !isBelow ? around : await openWorkTree(io.cwd, io.signal);
  const file = insideRoot(scope, tree.root);
  if (!tree.entries.some((entry) => entry.path === file)) {
    throw new UsageError(`${name} is not a file of the repository. Name a page or another file.`);
  }
  const { spaces } = await openSpaces(tree, null, io.cwd);
  const repository = repositoryAddress(tree.origin, io.env, null);
  const all = await analyseSpaces(createEngine({ cachesVerdicts: false, readFacts: readFactsSafely }), {
    tree: tree.entries,
    spaces,
    read: readFrom(tree),
    repository,
  });
  const links = all
    .flatMap(({ analysis }) => analysis.links)
    // Links of a page to itself count if one of its headings is requested.
    .filter(
      (link) =>
        link.resolved?.path === file && (anchor === null ? link.file !== file : link.anchor === anchor),
    )
    .sort((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1));
  if (format === 'json') {
    const reported = links.map(({ file: from, line, column, endLine, endColumn, target, text, status }) => {
      return { file: from, line, column, endLine, endColumn, target, text, status };
    });
    const of = { version: 1, root: tree.root, file, ...(anchor === null ? {} : { anchor }) };
    io.stdout.write(`${JSON.stringify({ ...of, links: reported })}\n`);
    return 0;
  }
  const lines = links.map((link) => {
    const reason = link.status === 'broken' ? `  ${link.message ?? ''}` : '';
    return printable(`${link.file}:${link.line}:${link.column}  ${link.target}${reason}`);
  });
  const files = new Set(links.map((link) => link.file)).size;
  const destination = printable(anchor === null ? file : `${file}#${anchor}`);
  const summary = `${number(links.length, 'link')} in ${number(files, 'file')} ${links.length === 1 ? 'leads' : 'lead'} to ${destination}.`;
  io.stdout.write([...lines, ...(lines.length > 0 ? [''] : []), summary, ''].join('\n'));
  return 0;
}

/** `#` begins an anchor, unless it is part of the name of an existing file. */
async function splitAnchor(input: string, cwd: string) {
  const hash = input.indexOf('#');
  const isThere = (await lstat(path.resolve(cwd, input)).catch(() => null)) !== null;
  if (hash === -1 || isThere) return { name: input, anchor: null };
  return { name: input.slice(0, hash), anchor: input.slice(hash + 1) };
}
