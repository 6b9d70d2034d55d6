import { graphqlErrorTypes, type Octokit, splitName } from '../api/index.ts';

/** At most this many branches are asked for by one query; each counts as one of its nodes, and the query as one point. */
export const BRANCHES_PER_QUERY = 100;

export interface WantedTips {
  readonly id: number;
  /** `owner/name`. */
  readonly fullName: string;
  readonly branches: readonly string[];
}

/** The tips of a repository's branches; null for one that does not exist. */
export type Tips = ReadonlyMap<string, string | null>;

interface Answer {
  readonly [repository: string]:
    | ({ readonly databaseId: number } & {
        readonly [branch: string]: { readonly target: { readonly oid: string } | null } | null | number;
      })
    | null
    | undefined;
}

/**
 * Reads the tips of branches of many repositories, by the ids of the repositories, a hundred branches with one call. Those
 * that the installation cannot read, or whose names others have by now, are left out. The limit of such queries is another
 * one than that of the calls that pushes and pull requests need.
 * https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export async function readTips(
  octokit: Octokit,
  wanted: readonly WantedTips[],
): Promise<ReadonlyMap<number, Tips>> {
  const tips = new Map<number, Map<string, string | null>>();
  for (const part of inParts(wanted)) {
    const answer = await query(octokit, part);
    for (const [index, { id, branches }] of part.entries()) {
      const repository = answer[`r${index}`];
      if (repository == null || repository.databaseId !== id) continue;
      const own = tips.get(id) ?? new Map<string, string | null>();
      tips.set(id, own);
      for (const [nth, branch] of branches.entries()) {
        const ref = repository[`b${nth}`];
        own.set(branch, typeof ref === 'object' ? (ref?.target?.oid ?? null) : null);
      }
    }
  }
  return tips;
}

function* inParts(wanted: readonly WantedTips[]): Iterable<readonly WantedTips[]> {
  let part: WantedTips[] = [];
  let size = 0;
  for (const repository of wanted) {
    for (let start = 0; start < repository.branches.length; start += BRANCHES_PER_QUERY) {
      const branches = repository.branches.slice(start, start + BRANCHES_PER_QUERY);
      if (size + branches.length > BRANCHES_PER_QUERY) {
        yield part;
        part = [];
        size = 0;
      }
      part.push({ ...repository, branches });
      size += branches.length;
    }
  }
  if (part.length > 0) yield part;
}

async function query(octokit: Octokit, wanted: readonly WantedTips[]): Promise<Answer> {
  const variables: Record<string, string> = {};
  const declare = (name: string, value: string) => {
    variables[name] = value;
    return `$${name}`;
  };
  const fields = wanted.map(({ fullName, branches }, index) => {
    const { owner, name } = splitName(fullName);
    const refs = branches.map(
      (branch, nth) =>
        `b${nth}: ref(qualifiedName: ${declare(`b${index}x${nth}`, `refs/heads/${branch}`)}) { target { oid } }`,
    );
    const at = `owner: ${declare(`o${index}`, owner)}, name: ${declare(`n${index}`, name)}`;
    return `r${index}: repository(${at}) { databaseId ${refs.join(' ')} }`;
  });
  const declared = Object.keys(variables).map((name) => `$${name}: String!`);
  try {
    return await octokit.graphql<Answer>(
      `query docloomTips(${declared.join(', ')}) {\n  ${fields.join('\n  ')}\n}`,
      variables,
    );
  } catch (error) {
    const types = graphqlErrorTypes(error);
    const { data } = error as { readonly data?: Answer | null };
    // What it cannot read is null in the answer, and the rest is there.
    if (data == null || types.length === 0 || types.some((type) => !UNREADABLE.has(type))) throw error;
    return data;
  }
}

/** Deleted, hidden from the installation, or blocked by an organization's rules. */
const UNREADABLE = new Set(['NOT_FOUND', 'FORBIDDEN']);
