import type {
  Asset,
  FileFacts,
  FileProblem,
  Page,
  Reference,
  RepoPath,
  RepositoryAddress,
  SpaceSettings,
  TreeEntry,
} from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import type { TreeIndex } from '../tree/index.ts';
import type { LinkRules } from './link-rules.ts';

/**
 * What a builder of documentation makes of a repository's files. A format is asked in three steps, each pure:
 * `detect` finds spaces, `open` reads one space's configuration and says which files are read how, and `publish`
 * builds the navigation and the rules for links from what those files say.
 */
export interface Format {
  /** Spaces that the repository's files show, the likeliest first. A folder that an earlier format claimed is dropped. */
  detect(repository: RepositoryFiles): readonly FoundSpace[];
  open(space: SpaceInput): OpenSpace;
}

/** A repository's tree, and the text of its small files. */
export interface RepositoryFiles {
  readonly tree: readonly TreeEntry[];
  readonly index: TreeIndex;
  /**
   * The text of a configuration file; null when there is none, when it is too large or cannot be had. Texts that were
   * not read yet are null too: they are read then, and the format is asked again from the start, so asking for one
   * file because of another's text is fine.
   */
  text(path: RepoPath): string | null;
}

export interface FoundSpace {
  /** The folder of its configuration, without slashes at the ends; empty for the root. */
  readonly directory: string;
  /** As its configuration says; null to take the folder's or the repository's name. */
  readonly title: string | null;
  /** True for a sign so faint that it counts only where nothing else is found. */
  readonly isFaint?: boolean;
  /** True for a sign that plain Markdown shows too: it does not count for a space that `docloom.yml` declares. */
  readonly isGuess?: boolean;
}

/** One space to open. */
export interface SpaceInput extends RepositoryFiles {
  /** Without slashes at the ends; empty for the root. */
  readonly directory: string;
  /** Folders of the repository's other spaces. */
  readonly siblings: readonly string[];
  /** Entries inside the directory without siblings' folders, dot folders and submodules, in the order of the tree. */
  readonly entries: readonly TreeEntry[];
  /** Whether one of the entries stands at a path. Unlike them, it answers whoever asks for later trees. */
  has(path: RepoPath): boolean;
  /** The repository on its host, where known. */
  readonly repository: RepositoryAddress | undefined;
}

/** A space whose configuration is read. */
export interface OpenSpace {
  /**
   * Files whose references are judged, in the order of the tree. Also those that the builder leaves out (a README
   * beside the configuration): people read them on the repository's host, and `publish` gives them its rules.
   */
  readonly sources: readonly TreeEntry[];
  /** How the bytes of a file are read, whether a source or one that links lead to; null when it has no anchors. */
  readingOf(path: RepoPath): Reading | null;
  /** What is wrong with the configuration. */
  readonly problems: readonly FileProblem[];
  /** What is wrong with a source in this space, though nothing is by itself. Nothing when left out. */
  problemsIn?(path: RepoPath, facts: FileFacts): readonly Omit<FileProblem, 'file'>[];
  /**
   * Names all that `open` decided, but for which files there are. Two trees whose spaces have the same one read files in
   * the same way, and a file is a source in both or in neither. Told from what `open` asked when left out.
   */
  readonly signature?: string;
  /**
   * What `publish` makes rules of from one file's contents, as plain JSON: while it stays the same, and no file comes or
   * goes, so do the rules. Anchors, and what `FilesRead` is asked for as late as a link is judged or `pages` are asked
   * for, are no part of it. Any change is one of the rules when left out.
   */
  shapedBy?(path: RepoPath, facts: FileFacts): unknown;
  /** What the space says beside its pages and files; nothing when left out. */
  settings?(files: FilesRead): SpaceSettings;
  /** The rules may be used for later trees too, and must then ask `files` anew or through `remember`. */
  publish(files: FilesRead): Publication;
}

/** What is known of the contents of files. */
export interface FilesRead {
  /** By the path of a source or any other file; undefined when it was not read (yet), or is no page. */
  facts(path: RepoPath): FileFacts | undefined;
  /** The file at a path with symbolic links followed; null when there is no file. */
  file(path: RepoPath): TreeEntry | null;
  /**
   * Makes a value once and keeps it for later trees until something that it was made from differs. It is made from
   * `files` and the space's index alone, and all else that decides it stands in `key`. `make` is told whether later trees
   * may ask. Then `patch`, where there is one, makes it from the last one when no more differs than what is at `touched`,
   * paths and other questions about the tree, and answers null where it cannot.
   */
  remember<Value>(
    key: string,
    make: (isKept: boolean) => Value,
    patch?: (last: Value, touched: ReadonlySet<string>) => Value | null,
  ): Value;
  /**
   * A table that the space's files make, each by itself: what a file puts into it is worked out again only when the file,
   * or what else was asked for it, differs. `rowsOf` asks of the tree only what `FilesRead` answers
   * of files, and nothing of other tables; of the entry, its path and mode. Rows are plain JSON.
   */
  table<Row>(name: string, rowsOf: TableRows<Row>): Table<Row>;
}

/** What one file of the space puts into a table; nothing for most. */
export type TableRows<Row> = (entry: TreeEntry) => Iterable<readonly [key: string, value: Row]>;

export interface TableRow<Row> {
  readonly file: RepoPath;
  readonly value: Row;
}

/** It may be kept for later trees, and then answers for them. */
export interface Table<Row> {
  /** In the order of the files' paths. */
  rows(key: string): readonly TableRow<Row>[];
}

/** A space as readers meet it. */
export interface Publication {
  /** The navigation, nested. Worked out when asked for, anew for each tree. */
  readonly pages: readonly Page[];
  /** Worked out when asked for, from the entries that the space was opened with. */
  readonly assets: readonly Asset[];
  /** The rules for the references of one source, for example of the builder's pages or of files it leaves out. */
  rulesOf(file: RepoPath): LinkRules;
  /** References that should not be judged, for example the second of two that say the same. None when left out. */
  skips?(file: RepoPath, reference: Reference): boolean;
  /**
   * The paths about which rules of this publication may say something else than those of `previous`, a publication of a
   * space with the same signature; answers of the index and of `files` are followed without it. Null, or left out, when
   * that cannot be told.
   */
  changesSince?(previous: Publication): Iterable<RepoPath> | null;
}
