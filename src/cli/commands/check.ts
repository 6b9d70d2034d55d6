import { cacheLocation } from '../check/cache-location.ts';
import { checkCached } from '../check/check-cached.ts';
import type { CheckResult } from '../check/check-result.ts';
import type { Checked, CheckInput } from '../check/check-tree.ts';
import type { OpenPaths } from '../check/open-paths.ts';
import { printers, type ReportFormat } from '../check/print/index.ts';
import { number, printable } from '../check/print/report.ts';
import { isWithin } from '../check/scopes.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';

export interface CheckOptions {
  /** `text` is an older name of `pretty`. */
  readonly format: ReportFormat | 'text';
  /** The revision to compare with. */
  readonly base?: string;
  readonly all?: boolean;
  readonly fix?: boolean;
  /** What fails the run with exit code 1: by default `any` broken link, `new` ones with a base. */
  readonly failOn?: CheckFailOn;
  readonly config?: string;
  /** Also request the addresses of other sites. */
  readonly external?: boolean;
  /** False to read every file anew, and to cache nothing for the next run. */
  readonly cache?: boolean;
}

export type CheckFailOn = 'new' | 'any' | 'never';

/**
 * Reports the broken links of a work tree, as git sees it, or of a plain folder. `paths` are folders and files to
 * report on, relative to the current folder; links are checked against the whole repository around them.
 * Returns 1 when a link is broken that counts, 0 otherwise; throws `UsageError` for unusable input.
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
  const facts = options.cache === false ? null : cacheLocation(io.env);
  const exactOids = base !== null ? 'all' : facts !== null ? 'pages' : 'none';
  const open = () => openPaths(named, io, { exactOids });
  // Git lists the files while the engine is loaded.
  const opening = open();
  opening.catch(() => {});
  const { showProgress } = await import('../check/show-progress.ts');
  const progress = showProgress(io);
  const input: CheckInput = {
    base,
    config: options.config ?? null,
    today: new Date().toISOString().slice(0, 10),
    onProgress: progress.update,
    facts,
  };
  let checked: Checked;
  try {
    // A cached answer does not contain everything.
    const mayRecall = options.all !== true && options.fix !== true;
    checked = await (mayRecall ? checkCached : checkAnew)(input, opening, io);
    if (options.fix) {
      const { fixLinks } = await import('../check/fix-links.ts');
      for (let pass = 1; pass <= FIX_PASSES; pass++) {
        const { report, changed } = await fixLinks(checked.result);
        progress.clear();
        if (changed || pass === 1) io.stderr.write(report);
        if (!changed) break;
        checked.save();
        checked = await checkAnew(input, open(), io);
      }
    }
    if (options.external) {
      const { checkExternalLinks } = await import('../external/check-external-links.ts');
      checked = { ...checked, result: await checkExternalLinks(checked.result, io, progress.update) };
    }
  } finally {
    progress.clear();
  }
  const { result, save } = checked;
  const format = options.format === 'text' ? 'pretty' : options.format;
  const print = await printers[format]();
  const colours = format === 'pretty' && mayColour(io);
  const printing = {
    all: options.all === true,
    fix: options.fix === true,
    existing: failOn === 'any',
    colours,
    baseName: base,
  };
  io.stdout.write(print(result, printing));
  if (format === 'json') io.stderr.write(formatNotices(result));
  if (result.files === 0) io.stderr.write(describeEmpty(await opening, named));
  save();
  return fails(result, failOn) ? 1 : 0;
}

/** A page that its navigation lists again has an address again, which an old one can lead to. */
const FIX_PASSES = 3;

async function checkAnew(...args: Parameters<typeof checkCached>): Promise<Checked> {
  const { checkWorkTree } = await import('../check/check-tree.ts');
  return await checkWorkTree(...args);
}

/** The format for programs contains only links; other problems go to standard error. */
function formatNotices({ notices }: CheckResult): string {
  const lines = notices.map(
    ({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`,
  );
  return lines.map((line) => `docloom: ${line.replace(/\p{Cc}/gu, '\u{fffd}')}\n`).join('');
}

/** A run without files is seldom intended, and “0 broken” would hide it. */
function describeEmpty({ tree, wanted }: OpenPaths, named: readonly string[]): string {
  const where = printable(named.join(', '));
  const pages = tree.entries.filter(
    ({ path }) => isWithin(path, wanted) && /\.(?:md|markdown|mdx)$/i.test(path),
  );
  const why =
    pages.length === 0
      ? `${where} contains no Markdown file (.md, .markdown or .mdx)${tree.isGit ? ' that git does not ignore' : ''}.`
      : `${number(pages.length, 'Markdown file')} in ${where} ${pages.length === 1 ? 'is' : 'are'} in no space of .github/docloom.yml, or in a folder that is left out (node_modules, and those that begin with a dot).`;
  return `docloom: Nothing was checked: ${why}\n`;
}

function fails({ links, notices }: CheckResult, failOn: CheckFailOn): boolean {
  if (failOn === 'never') return false;
  if (notices.some((notice) => notice.fails)) return true;
  return links.some(({ status, change }) =>
    failOn === 'new' ? change === 'introduced' : status === 'broken',
  );
}

/** https://no-color.org and https://force-color.org; with both set there are no colours. */
function mayColour({ stdout, env }: CommandIo): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return stdout.isTTY === true && env['TERM'] !== 'dumb';
}
