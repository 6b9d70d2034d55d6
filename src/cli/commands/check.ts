import type { CheckInput, CheckResult } from '../check/check-tree.ts';
import { printers, type ReportFormat } from '../check/print/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';

export interface CheckOptions {
  /** `text` is an older name of `pretty`. */
  readonly format: ReportFormat | 'text';
  /** The revision to measure against. */
  readonly base?: string;
  readonly all?: boolean;
  readonly fix?: boolean;
  /** What ends with exit code 1: `any` broken link when left out, `new` ones with a base. */
  readonly failOn?: FailOn;
  readonly config?: string;
}

export type FailOn = 'new' | 'any' | 'never';

/**
 * Reports the broken links of a work tree, as git sees it, or of a plain folder. `paths` are folders and files to
 * report on, relative to the current folder; links are judged against the whole repository around them.
 * Answers 1 when a link is broken that counts, 0 otherwise; throws `UsageError` for what cannot be used.
 */
export async function runCheck(
  paths: readonly string[],
  options: CheckOptions,
  io: CommandIo,
): Promise<ExitCode> {
  const base = options.base ?? null;
  const failOn = options.failOn ?? (base === null ? 'any' : 'new');
  if (failOn === 'new' && base === null) {
    throw new UsageError('--fail-on new needs --base, which says what is old.');
  }
  const { openPaths } = await import('../check/open-paths.ts');
  const named = paths.length === 0 ? ['.'] : paths;
  const open = () => openPaths(named, io, { exactOids: base !== null });
  // Git lists the files while the engine is loaded.
  const opening = open();
  opening.catch(() => {});
  const { checkTree } = await import('../check/check-tree.ts');
  const { showProgress } = await import('../check/show-progress.ts');
  const progress = showProgress(io);
  const input: CheckInput = {
    base,
    config: options.config ?? null,
    today: new Date().toISOString().slice(0, 10),
    onProgress: progress.say,
  };
  let result: CheckResult;
  try {
    result = await checkTree(input, opening, io);
    if (options.fix) {
      const { fixLinks } = await import('../check/fix-links.ts');
      const { tell, changed } = await fixLinks(result);
      progress.end();
      io.stderr.write(tell);
      if (changed) result = await checkTree(input, open(), io);
    }
  } finally {
    progress.end();
  }
  const format = options.format === 'text' ? 'pretty' : options.format;
  const print = await printers[format]();
  const colours = format === 'pretty' && mayColour(io);
  io.stdout.write(print(result, { all: options.all === true, colours, baseName: base }));
  if (format === 'json') io.stderr.write(tellNotices(result));
  return fails(result, failOn) ? 1 : 0;
}

/** The form for programs holds links alone; what else people should know goes beside it. */
function tellNotices({ notices }: CheckResult): string {
  const said = notices.map(
    ({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`,
  );
  return said.map((one) => `docloom: ${one.replace(/\p{Cc}/gu, '\u{fffd}')}\n`).join('');
}

function fails({ links }: CheckResult, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  return links.some(({ status, change }) =>
    failOn === 'new' ? change === 'introduced' : status === 'broken',
  );
}

/** https://no-color.org */
function mayColour({ stdout, env }: CommandIo): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
