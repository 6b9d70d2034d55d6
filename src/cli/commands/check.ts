import type { CommandIo, ExitCode } from '../command.ts';

export interface CheckOptions {
  readonly format: 'text' | 'json';
}

/**
 * Reports the broken links of a work tree, as git sees it, or of a plain folder. `paths` are folders and files to
 * report on, relative to the current folder; links are judged against the whole repository around them.
 * Answers 1 when a link is broken, 0 otherwise; throws `UsageError` for a path or configuration that cannot be used.
 */
export async function runCheck(
  paths: readonly string[],
  options: CheckOptions,
  io: CommandIo,
): Promise<ExitCode> {
  const { checkTree } = await import('../check/check-tree.ts');
  const result = await checkTree(paths.length === 0 ? ['.'] : paths, io);
  const { printJson } = await import('../check/print-json.ts');
  const { printText } = await import('../check/print-text.ts');
  io.stdout.write(options.format === 'json' ? printJson(result) : printText(result));
  return result.links.some((link) => link.status === 'broken') ? 1 : 0;
}
