import { analyseSpaces, type Engine, type SpacesToAnalyse } from '../../engine/index.ts';
import type { DetectedSpace, RepositoryAddress, SpaceAnalysis } from '../../model/index.ts';
import { applyEdits, type FileEdit } from '../../text/index.ts';
import { configureDocloom } from '../configure-docloom.ts';
import { configureSpace, redirectSpace } from '../space-move.ts';
import { findWorse, type WorseLink } from './find-worse.ts';
import { planContents } from './plan-contents.ts';
import { type PlannedEdit, type PlannedLinks, planLinks } from './plan-links.ts';
import { planSymlinks } from './plan-symlinks.ts';
import { type FilesToMove, type PlannedText, type PlannedTexts, PlannedTree } from './planned-tree.ts';

const DOCLOOM_CONFIG = '.github/docloom.yml';

/** What moves where, as paths from the root of the repository. */
export interface PathMove {
  readonly tree: FilesToMove;
  readonly spaces: readonly DetectedSpace[];
  /** The spaces whose links count; all when absent. */
  readonly wanted?: readonly DetectedSpace[];
  /** The repository on its host; null if unknown. */
  readonly repository: RepositoryAddress | null;
  readonly from: string;
  /** Null for a deletion without anything that takes the place of what is deleted. */
  readonly to: string | null;
  /** Whether `from` is deleted, and links to it lead to `to` from then on. */
  readonly isDeletion?: boolean;
  readonly engine: Pick<Engine, 'analyse'>;
}

/** A finding that a person has to fix. */
export interface ByHand {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface MovePlan {
  readonly edits: readonly PlannedEdit[];
  /** Entries of configuration and targets of symbolic links that change. */
  readonly settings: readonly PlannedEdit[];
  readonly redirects: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** The new text of each file that changes, by its path after the move, and the text that it must have before. */
  readonly texts: PlannedTexts;
  /** Symbolic links with a new target, in the same form. */
  readonly symlinks: PlannedTexts;
  readonly byHand: readonly ByHand[];
  /** Links that would be worse than they are, and for which no other destination was found. */
  readonly worse: readonly WorseLink[];
  /** Sentences for people. */
  readonly notes: readonly string[];
}

/** Plans how files must change when everything at `from` (a file or folder) moves to `to`. Reads only. */
export async function planMove(move: PathMove): Promise<MovePlan> {
  return await new MovePlanner(move).plan();
}

class MovePlanner {
  readonly #move: PathMove;
  readonly #planned: PlannedTree;

  constructor(move: PathMove) {
    this.#move = move;
    this.#planned = new PlannedTree(move.tree, { ...move, isDeletion: move.isDeletion === true });
  }

  async plan(): Promise<MovePlan> {
    const { tree, spaces, wanted = spaces, repository } = this.#move;
    const planned = this.#planned;
    const before = await this.#analyse({
      tree: tree.entries,
      spaces,
      wanted,
      read: tree.readBlobs,
      repository,
    });
    const symlinks = await planSymlinks(tree, planned);
    const analyse = (texts: PlannedTexts) => this.#analyseMoved(new Map([...symlinks, ...texts]));

    // A deletion leaves configurations as they are: what names the file there is shown as a link that gets worse.
    const configured = planned.isDeletion
      ? { texts: new Map<string, PlannedText>(), settings: [], byHand: [] }
      : await this.#configure(before, await analyse(new Map()), symlinks);
    const links = await planLinks({ before, base: configured.texts, planned, analyse });
    const listed = await this.#leaveContents(before, links, analyse);
    const redirected = await this.#redirect(before, listed.after, new Map([...symlinks, ...listed.texts]));
    const texts = new Map([...listed.texts, ...redirected.texts]);
    const after = redirected.texts.size === 0 ? listed.after : await analyse(texts);
    return {
      edits: links.edits,
      settings: [...configured.settings, ...listed.settings],
      redirects: redirected.redirects,
      texts,
      symlinks,
      byHand: [...configured.byHand, ...listed.byHand],
      worse: findWorse(before, after, planned.moved, links.reasons, (file) => planned.isGone(file)),
      notes: redirected.notes,
    };
  }

  /** Removes entries from tables of contents that the moved pages leave. */
  async #leaveContents(
    before: readonly SpaceAnalysis[],
    links: PlannedLinks,
    analyse: (texts: PlannedTexts) => Promise<readonly SpaceAnalysis[]>,
  ) {
    const worse = findWorse(before, links.after, this.#planned.moved, links.reasons, (file) =>
      this.#planned.isGone(file),
    );
    const files = this.#planned.entriesWith(new Map()).map((entry) => entry.path);
    const change = await planContents(worse, this.#planned, {
      to: this.#planned.isDeletion ? null : this.#move.to,
      texts: links.texts,
      files,
    });
    if (change.edits.length === 0) return { ...links, settings: [], byHand: [] };
    const { texts: changed, changed: settings } = await this.#apply(change.edits, links.texts);
    const texts = new Map([...links.texts, ...changed]);
    return { texts, after: await analyse(texts), settings, byHand: change.byHand };
  }

  async #configure(
    before: readonly SpaceAnalysis[],
    after: readonly SpaceAnalysis[],
    symlinks: PlannedTexts,
  ) {
    const { tree } = this.#move;
    const { moved } = this.#planned;
    const edits: FileEdit[] = [];
    const byHand: ByHand[] = [];
    for (const [index, space] of before.entries()) {
      const now = after[index];
      if (now === undefined) continue;
      const change = await configureSpace({
        before: { tree: tree.entries, read: tree.readBlobs, space },
        after: { ...this.#side(symlinks), space: now },
        moved,
      });
      edits.push(...change.edits);
      byHand.push(...change.notices.map((item) => ({ ...item, file: moved(item.file) })));
    }
    const own = await this.#planned.textAt(moved(DOCLOOM_CONFIG));
    if (own !== null) edits.push(...configureDocloom(DOCLOOM_CONFIG, own, moved));
    const { texts, changed } = await this.#apply(
      edits.map((edit) => ({ ...edit, file: moved(edit.file) })),
      new Map(),
    );
    return { texts, settings: changed, byHand };
  }

  async #redirect(before: readonly SpaceAnalysis[], after: readonly SpaceAnalysis[], texts: PlannedTexts) {
    const { tree } = this.#move;
    const edits: FileEdit[] = [];
    const notes: string[] = [];
    const redirects: { file: string; from: string; to: string }[] = [];
    for (const [index, space] of before.entries()) {
      const now = after[index];
      if (now === undefined) continue;
      const change = await redirectSpace({
        before: { tree: tree.entries, read: tree.readBlobs, space },
        after: { ...this.#side(texts), space: now },
        moved: this.#planned.moved,
      });
      edits.push(...change.edits);
      notes.push(...change.notes);
      const [file = ''] = change.edits.map((edit) => edit.file);
      redirects.push(...change.added.map(({ from, to }) => ({ file, from: `/${from}`, to: `/${to}` })));
    }
    return { ...(await this.#apply(edits, texts)), notes, redirects };
  }

  /** Applies edits of files (by their paths after the move) to the texts that are planned already. */
  async #apply(edits: readonly FileEdit[], known: PlannedTexts) {
    const texts = new Map<string, PlannedText>();
    const changed: PlannedEdit[] = [];
    for (const [file, fileEdits] of Map.groupBy(edits, ({ file }) => file)) {
      const before = known.get(file)?.before ?? (await this.#planned.textAt(file));
      const source = known.get(file)?.after ?? before ?? '';
      // A file that two spaces share is edited once for both.
      const own = [
        ...new Map(fileEdits.map((edit) => [`${edit.start}:${edit.end}:${edit.text}`, edit])).values(),
      ];
      const after = applyEdits(source, own);
      if (after === source) continue;
      texts.set(file, { before, after });
      for (const { start, end, text } of own) {
        const line = source.slice(0, start).split('\n').length;
        changed.push({ file, line, target: source.slice(start, end).trim(), to: text.trim() });
      }
    }
    return { texts, changed };
  }

  #side(texts: PlannedTexts) {
    return { tree: this.#planned.entriesWith(texts), read: this.#planned.readWith(texts) };
  }

  /** Analyses the repository as it is after the move and with the texts. */
  async #analyseMoved(texts: PlannedTexts): Promise<readonly SpaceAnalysis[]> {
    const { spaces, wanted = spaces, repository } = this.#move;
    const { moved, renames } = this.#planned;
    const there = new Map(spaces.map((space) => [space, { ...space, directory: moved(space.directory) }]));
    return await this.#analyse({
      ...this.#side(texts),
      renames,
      spaces: [...there.values()],
      wanted: wanted.flatMap((space) => there.get(space) ?? []),
      repository,
    });
  }

  async #analyse(options: SpacesToAnalyse<DetectedSpace>): Promise<readonly SpaceAnalysis[]> {
    return (await analyseSpaces(this.#move.engine, options)).map(({ analysis }) => analysis);
  }
}
