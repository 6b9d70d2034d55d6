import type { NewRedirect, RedirectTable } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import type { FileEdit } from '../text/index.ts';

export interface RedirectChange {
  readonly edits: readonly FileEdit[];
  /** Sentences for people about addresses that no longer work. */
  readonly notes: readonly string[];
  readonly added: readonly NewRedirect[];
}

interface MovedPages {
  /** Addresses by file, before the move and after. */
  readonly old: ReadonlyMap<RepoPath, string>;
  readonly now: ReadonlyMap<RepoPath, string>;
  /** Addresses that work without a file of their own, after the move. */
  readonly liveAddresses: readonly string[];
  readonly moved: (path: RepoPath) => RepoPath;
  /** The file that redirects are written to, or a sentence that says why there is none. */
  readonly table: RedirectTable | string;
}

/**
 * Redirects old addresses to new ones. An existing redirect to an old address is changed to the new one; a redirect that
 * would hide a page is not written, and an existing one is removed.
 */
export function redirectPages({ old, now, liveAddresses, moved, table }: MovedPages): RedirectChange {
  const live = new Set([...now.values(), ...liveAddresses]);
  const redirects: NewRedirect[] = [];
  const removed: string[] = [];
  for (const [oldFile, from] of old) {
    const newFile = moved(oldFile);
    const to = now.get(newFile);
    if (to === from || live.has(from) || from === '' || from === 'index.html') continue;
    if (to === undefined || to.toLowerCase() === from.toLowerCase()) {
      if (newFile !== oldFile) removed.push(from);
    } else redirects.push({ from, to, oldFile, newFile });
  }
  const lost = describeLost(removed, 'The moved pages leave the published part of their space');
  if (redirects.length === 0) return { edits: [], notes: lost, added: [] };
  const all = redirects.map(({ from }) => from);
  if (typeof table === 'string')
    return { edits: [], notes: [...lost, ...describeLost(all, capitalised(table))], added: [] };
  const { edits, missing } = editTable(table, redirects, live);
  const added = table.insert(missing.map((redirect) => table.write(redirect)));
  if (missing.length > 0 && added === null) {
    return {
      edits: [],
      notes: [
        ...lost,
        ...describeLost(all, `The redirects of ${table.file} cannot be edited with certainty`),
      ],
      added: [],
    };
  }
  if (missing.length > 0 && added !== null) edits.push({ file: table.file, ...added });
  return { edits, notes: lost, added: redirects };
}

/** Changes existing entries; `missing` are the redirects that still have to be added. */
function editTable(table: RedirectTable, redirects: readonly NewRedirect[], live: ReadonlySet<string>) {
  const { file, entries } = table;
  const edits: FileEdit[] = [];
  const byOld = new Map(redirects.map((redirect) => [redirect.from, redirect]));
  const isNew = new Set(redirects.map(({ to }) => to));
  const known = new Set<string>();
  for (const entry of entries) {
    const target = byOld.get(entry.from) ?? (entry.to === null ? undefined : byOld.get(entry.to));
    if (live.has(entry.from) && isNew.has(entry.from)) {
      if (entry.whole !== null) edits.push({ file, ...entry.whole, text: '' });
      continue;
    }
    if (byOld.has(entry.from)) known.add(entry.from);
    if (target === undefined) continue;
    const [, to] = table.write({ ...target, from: entry.from });
    edits.push({ file, ...table.replaceValue(entry, to) });
  }
  return { edits, missing: redirects.filter(({ from }) => !known.has(from)) };
}

function describeLost(addresses: readonly string[], why: string): readonly string[] {
  const [first, ...rest] = addresses;
  if (first === undefined) return [];
  return [
    rest.length === 0
      ? `${why}, so the old address /${first} will be gone.`
      : `${why}, so ${addresses.length} old addresses, such as /${first}, will be gone.`,
  ];
}

function capitalised(sentence: string): string {
  return /^[a-z]+ /.test(sentence) ? (sentence[0]?.toUpperCase() ?? '') + sentence.slice(1) : sentence;
}
