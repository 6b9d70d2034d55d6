import { isDeepStrictEqual } from 'node:util';
import { findMisnamedConfig } from '../../config/index.ts';
import { compareTrees, explainUnjudged } from '../../content/compare/index.ts';
import type { IgnoreProblem } from '../../content/ignore/index.ts';
import type { Engine, Rename, RepositoryAddress, TreeEntry } from '../../content/index.ts';
import type {
  ProposedRedirects,
  ReportedLostAddress,
  ReportPart,
  UnjudgedReport,
} from '../../content/report/index.ts';
import type { GitRemote, GitRepository } from '../../git/index.ts';
import {
  CONFIG_PATH,
  findSpaces,
  interpretConfig,
  NO_CONFIG,
  type RepositoryConfig,
  readBlobsOf,
  type ValidConfig,
} from '../repository/index.ts';

import { type AddedAddress, findAddedAddresses } from './added-addresses.ts';
import type { FailOnSetting, LostAddressesSetting } from './conclude.ts';
import { findTreeRenames } from './find-tree-renames.ts';
import { openChangeComments } from './ignored-links.ts';
import { sortIntoParts } from './sort-into-parts.ts';

export interface ChangeInput {
  readonly repository: GitRepository;
  readonly remote: GitRemote;
  /** The title of a space that is the whole repository. */
  readonly name: string;
  /** Web addresses of this repository at the base branch count as links into the tree. */
  readonly address: RepositoryAddress;
  readonly headOid: string;
  readonly baseOid: string;
  /** Whether the head is a fork's: then the settings `checks` of the base apply. */
  readonly isForeign: boolean;
  /** Today as `YYYY-MM-DD`, for links that are ignored until a day. */
  readonly today: string;
  /** The last valid configuration, used when the newest has a mistake; null when there never was one. */
  readonly inForce: ValidConfig | null;
  readonly signal: AbortSignal;
}

export interface ChangeAnalysis {
  readonly parts: readonly ReportPart[];
  readonly renames: readonly Rename[];
  readonly deleted: ReadonlySet<string>;
  readonly touched: (file: string) => boolean;
  /** Every path that was added, changed or removed. */
  readonly changedPaths: ReadonlySet<string>;
  /** Problems of ignore rules and comments that the pull request touched. */
  readonly ignoreProblems: readonly IgnoreProblem[];
  /** Which broken links fail the pull request. */
  readonly failOn: FailOnSetting;
  /** Addresses that it removes without a redirect, and what to do about each. */
  readonly lost: readonly ReportedLostAddress[];
  /** Redirects that can be written for them. */
  readonly redirects: readonly ProposedRedirects[];
  readonly lostAddresses: LostAddressesSetting;
  /** Whether the settings `checks` of the base apply instead of the head's. */
  readonly usesBaseChecks: boolean;
  /** A file that the change adds under a misspelled name of the configuration, so it is not read. */
  readonly misnamedConfig: string | null;
  /** Links that it adds or touches and that could not be checked; null for none. */
  readonly unjudged: UnjudgedReport | null;
  /** Links to other sites that the base did not have. */
  readonly added: readonly AddedAddress[];
}

export interface BrokenConfig {
  readonly problems: Extract<RepositoryConfig, { problems: unknown }>['problems'];
  /** Whether the pull request changed the configuration. */
  readonly touched: boolean;
}

/** A configuration is a page of YAML; more is a mistake or an attack. */
const CONFIG_BYTES = 256 * 1024;

/**
 * Checks the links of both trees, each by its own configuration, and compares them as `docloom check --base` does. The
 * result is grouped by the spaces of the head, so that a pull request that adds a space is checked by it. Both commits must
 * have been fetched.
 */
export async function analyseChange(
  engine: Engine,
  input: ChangeInput,
): Promise<ChangeAnalysis | BrokenConfig> {
  const [head, base] = await Promise.all([
    input.repository.readTree(input.headOid),
    input.repository.readTree(input.baseOid),
  ]);
  const baseOids = new Map(base.map((entry) => [entry.path, entry.oid]));
  const headOids = new Map(head.map((entry) => [entry.path, entry.oid]));
  const touched = (file: string) => headOids.get(file) !== baseOids.get(file);
  const read = await readConfigOfTree(input, head);
  const config = 'problems' in read && !touched(CONFIG_PATH) ? (input.inForce ?? read) : read;
  if ('problems' in config) return { problems: config.problems, touched: touched(CONFIG_PATH) };
  const before = touched(CONFIG_PATH) ? await readConfigOfTree(input, base) : config;
  // A base configuration that cannot be used is replaced by the head's.
  const baseConfig = 'problems' in before ? config : before;

  const usesBaseChecks =
    input.isForeign && !isDeepStrictEqual(config.config.checks, baseConfig.config.checks);
  const { config: settings, ignore } = usesBaseChecks ? baseConfig : config;

  const readBlobs = readBlobsOf(input, input.headOid);
  const renames = await findTreeRenames(base, head, readBlobs);
  const renamed = new Set(renames.map((rename) => rename.from));
  const deleted = new Set([...baseOids.keys()].filter((path) => !headOids.has(path) && !renamed.has(path)));
  const comments = openChangeComments(base, head, { read: readBlobs, touched });
  const lostAddresses = settings.checks['lost-addresses'];
  const compared = await compareTrees(engine, {
    // All of the base, including parts that are not checked there: a link that was broken in it is not new.
    base: {
      tree: base,
      read: readBlobs,
      spaces: await findSpaces({ ...input, tree: base }, baseConfig.declared),
      ignore: baseConfig.ignore,
    },
    head: {
      tree: head,
      read: readBlobs,
      spaces: await findSpaces({ ...input, tree: head }, config.declared),
      ignore,
    },
    renames,
    repository: input.address,
    comments,
    today: input.today,
    findsLostAddresses: lostAddresses !== 'off',
  });
  const { lost, unjudged } = compared;
  const { count, example } = unjudged;
  return {
    parts: sortIntoParts(compared, renames),
    renames,
    deleted,
    touched,
    changedPaths: new Set([...headOids.keys(), ...baseOids.keys()].filter(touched)),
    ignoreProblems: comments.problems(compared.ignores, usesBaseChecks ? null : CONFIG_PATH),
    failOn: settings.checks['fail-on'],
    lost: lost.flatMap(({ space, addresses }) =>
      addresses.map((address) => ({ space: space.title, ...address })),
    ),
    redirects: lost.flatMap(({ space, addresses, edit }) => {
      const count = addresses.filter(({ redirect }) => redirect !== null).length;
      return edit === null ? [] : [{ ...edit, space: space.title, count }];
    }),
    lostAddresses,
    unjudged: example === null ? null : { count, reason: explainUnjudged({ count, example }) },
    usesBaseChecks,
    misnamedConfig: findMisnamedConfig(
      CONFIG_PATH,
      (path) => headOids.has(path) && (path === CONFIG_PATH || touched(path)),
    ),
    added: findAddedAddresses({ before: compared.base, after: compared.head }, touched),
  };
}

async function readConfigOfTree(input: ChangeInput, tree: readonly TreeEntry[]): Promise<RepositoryConfig> {
  const entry = tree.find(({ path }) => path === CONFIG_PATH);
  if (entry === undefined) return NO_CONFIG;
  if (entry.mode === 'symlink' || entry.mode === 'submodule') {
    return { problems: [{ message: `${CONFIG_PATH} must be a file.`, line: null }] };
  }
  if (entry.size !== undefined && entry.size > CONFIG_BYTES) {
    return { problems: [{ message: `${CONFIG_PATH} is larger than 256 KB.`, line: null }] };
  }
  for await (const { bytes } of input.repository.readBlobs([entry.oid], input.remote, {
    signal: input.signal,
  })) {
    return interpretConfig(new TextDecoder().decode(bytes));
  }
  return { problems: [{ message: `${CONFIG_PATH} could not be read.`, line: null }] };
}
