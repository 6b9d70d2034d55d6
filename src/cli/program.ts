/** The commands, their options and their help, in one table of `commander`. Code that a command needs is loaded when it runs. */
import { Argument, Command, CommanderError, Option } from 'commander';
import { type CommandIo, type ExitCode, UsageError } from './command.ts';
import type { BlobPlace } from './commands/copy-blobs.ts';
import { docloomVersion } from './version.ts';

/** Runs one command line and sets the process's exit code: 0 success, 1 something is broken, 2 usage or configuration. */
export async function runProgram(args: readonly string[]): Promise<void> {
  watchOutput();
  const stop = new AbortController();
  if (!ENDED_AT_ONCE.has(args[0] ?? '')) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  }
  const io: CommandIo = {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
  };
  try {
    process.exitCode = await run(args, io);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      process.exitCode = 2;
      io.stderr.write(
        `docloom: ${explain(error)}${process.env['DOCLOOM_DEBUG'] && error instanceof Error ? `\n${error.stack}` : ''}\n`,
      );
    }
  }
}

/**
 * The reader of the report may stop early (`| head`): the rest is dropped silently, as other tools do, and the
 * exit code stays that of the command. Output that cannot be written, on a full disk for example, ends it with 2.
 */
function watchOutput(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(
      `docloom: What was found could not be written to standard output: ${error.message}.\n`,
    );
    process.exit(2);
  });
}

/**
 * For commands without cleanup: a signal ends them at once, also while they compute, and a shell reports 130 for
 * Ctrl+C.
 */
const ENDED_AT_ONCE: ReadonlySet<string> = new Set(['check', 'backlinks']);

function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof Error) return error.message;
  return String(error);
}

async function run(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = buildProgram(io, (code) => {
    exitCode = code;
  });
  await program.parseAsync([...args], { from: 'user' });
  return exitCode;
}

/** The command table; exported so that a test can compare the documentation with it. */
export function buildProgram(io: CommandIo, done: (code: ExitCode) => void): Command {
  const program = new Command('docloom')
    .description('Keeps documentation repositories and a documentation platform in step.')
    .version(docloomVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(docloom --help shows the commands)');

  program
    .command('serve')
    .description('Run the App, the worker and the platform, or one of them, in one process.')
    .addOption(
      new Option('--role <role>', 'what this process does (all, or ROLE)').choices(['all', 'web', 'worker']),
    )
    .option('--queues <names>', 'the jobs that it runs, such as git,sync.export (all, or QUEUES)')
    .addHelpText('after', '\nSettings come from the environment; docs/configuration.md lists them.')
    .action(async (options: { role?: string; queues?: string }) =>
      done(await (await import('./commands/serve.ts')).runServe(options, io)),
    );

  program
    .command('check')
    .description('Report the broken links of a docs repository or folder.')
    .argument('[paths...]', 'folders or files to report on; the current folder when left out')
    .addOption(
      new Option('--format <format>', 'how to print (text is pretty)')
        .choices(['pretty', 'json', 'sarif', 'junit', 'github', 'text'])
        .default('pretty'),
    )
    .option('--base <revision>', 'measure against where this revision and HEAD parted')
    .addOption(
      new Option('--fail-on <what>', 'what fails with exit code 1: any, or new with --base').choices([
        'new',
        'any',
        'never',
      ]),
    )
    .option('--all', 'report every link, also those that are ok')
    .option('--fix', 'write the suggestions into the files, then check again')
    .option('--external', 'also request the addresses of other sites; never fails the check')
    .option('--config <file>', 'a configuration in place of .github/docloom.yml')
    .option('--no-cache', 'read every file anew, and cache nothing for the next run')
    .action(async (paths: string[], options) =>
      done(await (await import('./commands/check.ts')).runCheck(paths, options, io)),
    );

  program
    .command('backlinks')
    .description('List the links that lead to a file.')
    .argument(
      '<file>',
      'a page or another file of the repository; with #heading only the links to that heading',
    )
    .addOption(new Option('--format <format>', 'how to print').choices(['pretty', 'json']).default('pretty'))
    .action(async (file: string, options) =>
      done(await (await import('./commands/backlinks.ts')).runBacklinks(file, options, io)),
    );

  program
    .command('mv')
    .description('Move a page or folder, and rewrite every link to it and from it.')
    .argument('<from>', 'a page, another file or a folder')
    .argument('<to>', 'its new path, or the folder to move it into')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--force', 'move also where links would get worse')
    .action(async (from: string, to: string, options) =>
      done(await (await import('./commands/mv.ts')).runMove(from, to, options, io)),
    );

  program
    .command('schema')
    .description('Print the JSON Schema of docloom.yml, with which editors complete and check it.')
    .action(async () => done(await (await import('./commands/schema.ts')).runSchema(io)));

  const token = program.command('token').description("Make, list and revoke the platform's API tokens.");
  token
    .command('create')
    .description('Make a token and print it; it is shown this once.')
    .requiredOption('--name <name>', 'what the token is for')
    .option(
      '--organization <title>',
      "the organization that it opens, by id or title; all of the operator's when left out",
    )
    .addOption(
      new Option('--role <role>', 'what its bearer may do')
        .choices(['admin', 'create', 'review', 'edit', 'comment', 'read'])
        .default('read'),
    )
    .option('--expires <when>', 'when it expires: days (90d), years (1y) or a date (2027-03-01)', '1y')
    .action(async (options) =>
      done(await (await import('./commands/token.ts')).runToken('create', options, io)),
    );
  token
    .command('list')
    .description('List the tokens: names and dates, never the tokens themselves.')
    .action(async () => done(await (await import('./commands/token.ts')).runToken('list', {}, io)));
  token
    .command('revoke')
    .description('Revoke a token.')
    .argument('<id>', 'the id that `docloom token list` shows')
    .action(async (id: string) =>
      done(await (await import('./commands/token.ts')).runToken('revoke', { id }, io)),
    );

  const jobs = program
    .command('jobs')
    .description('Show what waits, what runs, and what failed and why.')
    .option('--rate-limits', 'show the rate limits of jobs that call other services, in place of the jobs')
    .option('--json', 'print it as one line of JSON')
    .action(async ({ rateLimits, json = false }: { rateLimits?: boolean; json?: boolean }) =>
      done(
        await (await import('./commands/jobs.ts')).runJobs(
          { kind: rateLimits ? 'rate-limits' : 'list', json },
          io,
        ),
      ),
    );
  jobs
    .command('retry')
    .description('Run failed jobs again.')
    .argument('[id]', 'the id that `docloom jobs` shows')
    .option('--kind <name>', 'all of a kind, such as sync.export')
    .option('--all', 'all of them')
    .action(async (id: string | undefined, { kind: of, all }: { kind?: string; all?: boolean }) =>
      done(await (await import('./commands/jobs.ts')).runJobs({ kind: 'retry', id, all, of }, io)),
    );

  program
    .command('blobs')
    .description('Move the bytes of files between DATA_DIR and an object store.')
    .command('copy')
    .description('Copy what the other place lacks, while servers run; run it again until nothing is copied.')
    .addArgument(new Argument('<from>', 'where they are').choices(['folder', 'objects']))
    .addArgument(new Argument('<to>', 'where they are to be').choices(['folder', 'objects']))
    .action(async (from: BlobPlace, to: BlobPlace) =>
      done(await (await import('./commands/copy-blobs.ts')).runCopyBlobs({ from, to }, io)),
    );

  program
    .command('backup')
    .description('Write everything into one file, as it is at this moment, while servers run.')
    .argument('<file>', 'the file to make; it must not exist')
    .action(async (file: string) => done(await (await import('./commands/backup.ts')).runBackup(file, io)));

  program
    .command('restore')
    .description('Fill a new, empty database and its files from a backup.')
    .argument('<file>', 'what docloom backup has written')
    .action(async (file: string) => done(await (await import('./commands/restore.ts')).runRestore(file, io)));

  program
    .command('reset-key')
    .description('Accept another SECRET_KEY when the former one is lost; what it encrypted is lost with it.')
    .action(async () => done(await (await import('./commands/reset-key.ts')).runResetKey(io)));

  program
    .command('doctor')
    .description('Check everything that docloom serve needs, and say what to do.')
    .option('--json', 'print the findings as one line of JSON')
    .option('--mail-to <address>', 'send a test mail to this address, with the mail server of SMTP_URL')
    .action(async (options: { json?: boolean; mailTo?: string }) =>
      done(
        await (await import('./commands/doctor.ts')).runDoctor(
          { json: options.json === true, mailTo: options.mailTo ?? null },
          io,
        ),
      ),
    );

  program
    .command('sandbox')
    .description('Run a local stand-in for GitHub, to try Docloom without it.')
    .option('--port <port>', 'the port to listen on', '3100')
    .option('--data-dir <folder>', 'where its repositories and state live', '.docloom/sandbox')
    .option('--webhook-url <url>', 'where webhooks go', 'http://127.0.0.1:3000/api/github/webhooks')
    .option('--no-app', 'start without a GitHub App, to try setting one up')
    .action(async (options) => done(await (await import('./commands/sandbox.ts')).runSandbox(options, io)));

  program
    .command('demo')
    .description('Show the main job on this machine: a push becomes pages, a pull request gets its report.')
    .option('--once', 'exit after the demo, with one line of JSON')
    .action(async (options: { once?: boolean }) =>
      done(await (await import('./commands/demo.ts')).runDemo({ once: options.once === true }, io)),
    );

  return program;
}
