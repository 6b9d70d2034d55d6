import { roles } from '../../contract/index.ts';
import {
  createToken,
  listTokens,
  OperatorRemoved,
  revokeToken,
  UnknownOrganization,
} from '../../platform/index.ts';
import { type Database, SERVICE_TOKEN_NAME } from '../../store/index.ts';
import { type CommandIo, type ExitCode, UsageError } from '../command.ts';
import { openExistingStore } from '../open-existing-store.ts';
import { printTable } from '../print-table.ts';

export interface TokenArgs {
  readonly name?: string;
  /** By id or title. */
  readonly organization?: string;
  readonly role?: string;
  /** Days (`90d`), years (`2y`), or a date (`2027-03-01`). */
  readonly expires?: string;
  readonly id?: string;
}

/** `docloom token create|list|revoke`, in the store that `docloom serve` uses; the server may be running. */
export async function runToken(
  action: 'create' | 'list' | 'revoke',
  args: TokenArgs,
  io: CommandIo,
): Promise<ExitCode> {
  const run = actions[action](args, io);
  const store = await openExistingStore(io);
  try {
    await run(store.db);
    return 0;
  } finally {
    await store.close();
  }
}

/** For the audit log: whoever may run this command runs the server. */
const ACTOR = { kind: 'server', id: null, name: 'docloom token' } as const;

/** Each checks its arguments, and returns what it does in the database. */
const actions = { create, list, revoke } as const;

type Run = (db: Database) => Promise<void>;

/** Only the token goes to standard output, so that a script can read it. */
function create(args: TokenArgs, io: CommandIo): Run {
  const name = args.name?.trim();
  if (!name) throw new UsageError('Say what the token is for: --name <name>.');
  if (name === SERVICE_TOKEN_NAME)
    throw new UsageError(`The name ${name} is for the server's own tokens: choose another.`);
  const role = roles.find((role) => role === (args.role ?? 'read'));
  if (!role) throw new UsageError(`There is no role ${args.role}: it must be one of ${roles.join(', ')}.`);
  const expiresAt = readExpiry(args.expires ?? '1y', new Date());
  return async (db) => {
    try {
      const made = await createToken(db, {
        name,
        organization: args.organization,
        role,
        expiresAt,
        actor: ACTOR,
        mustOpen: true,
      });
      const { title, id } = made.organization;
      const reach = args.organization === undefined ? 'all organizations' : `organization ${title}, ${id}`;
      io.stderr.write(
        `Token ${made.id} (${role}, ${reach}), valid until ${expiresAt.toISOString()}. It is shown this once:\n`,
      );
      io.stdout.write(`${made.token}\n`);
    } catch (error) {
      if (error instanceof UnknownOrganization || error instanceof OperatorRemoved)
        throw new UsageError(error.message);
      throw error;
    }
  };
}

/** The longest that a token may be valid, in years. */
const MAX_YEARS = 10;

/** @throws UsageError for what is no period or date, past, or too far ahead */
function readExpiry(text: string, now: Date): Date {
  const [, number, unit] = /^(\d{1,4})([dy])$/.exec(text) ?? [];
  const date = new Date(unit === undefined ? text : now);
  if (unit === 'd') date.setUTCDate(date.getUTCDate() + Number(number));
  if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + Number(number));
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime());
  if ((unit !== undefined || isDate) && date > now && date <= latest) return date;
  throw new UsageError(
    `--expires cannot be ${JSON.stringify(text)}: write days (90d), years (1y) or a date (${latest.toISOString().slice(0, 4)}-01-31), in the future and at most ${MAX_YEARS} years ahead.`,
  );
}

function list(_args: TokenArgs, io: CommandIo): Run {
  return async (db) => {
    const now = new Date();
    const rows = await Array.fromAsync(listTokens(db), (token) => [
      token.id,
      token.name,
      token.role ?? 'admin',
      token.organization ?? 'all',
      token.createdAt.toISOString(),
      token.lastUsedAt?.toISOString() ?? 'never',
      token.expiresAt?.toISOString() ?? 'never',
      token.revokedAt ? 'revoked' : token.expiresAt !== null && token.expiresAt <= now ? 'expired' : 'live',
    ]);
    printTable(io.stdout, [
      ['ID', 'NAME', 'ROLE', 'ORGANIZATION', 'CREATED', 'LAST USED', 'EXPIRES', 'STATE'],
      ...rows,
    ]);
  };
}

function revoke(args: TokenArgs, io: CommandIo): Run {
  const id = args.id?.trim();
  if (!id) throw new UsageError('Say which token: docloom token revoke <id>.');
  return async (db) => {
    if (!(await revokeToken(db, id, ACTOR))) {
      throw new UsageError(`There is no token with the id ${id}; docloom token list shows them.`);
    }
    io.stderr.write(`Token ${id} is revoked.\n`);
  };
}
