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
import type { FileValues, YamlLanguage } from '../yaml/index.ts';
import type { LinkRules } from './link-rules.ts';

/**
 * How a documentation builder interprets a repository's files. A format is used in three steps, each pure: `detect` finds
 * spaces, `open` reads one space's configuration and decides how each file is read, and `publish` builds the navigation
 * and the rules for links from the facts of those files.
 */
export interface Format {
  /** Returns the spaces that the repository's files indicate, likeliest first. A folder that an earlier format claimed is dropped. */
  detect(repository: RepositoryFiles): readonly FoundSpace[];
  open(space: SpaceInput): OpenSpace;
}

/** A repository's tree, and the text of its small files. */
export interface RepositoryFiles {
  readonly tree: readonly TreeEntry[];
  readonly index: TreeIndex;
  /**
   * Returns the text of a configuration file; null when there is none, when it is too large or cannot be read. Texts that
   * were not read yet are null, too: they are read then, and the format is called again from the start, so that it may
   * request one file because of another's text.
   */
  text(path: RepoPath): string | null;
  /** Returns a configuration file in YAML (or JSON) as values; null when `text` is. Large ones are read elsewhere, within limits. */
  yaml(path: RepoPath, language?: YamlLanguage): FileValues | null;
  /** The same of one in TOML. */
  toml(path: RepoPath): FileValues | null;
  /** Returns the folder to which a path leads through symbolic links; the path itself where no folder is found. */
  folderAt(path: RepoPath): RepoPath;
}

export interface FoundSpace {
  /** The folder of its configuration, without leading and trailing slashes; empty for the root. */
  readonly directory: string;
  /** From its configuration; null to use the folder's or the repository's name. */
  readonly title: string | null;
  /** Where it stands in the site that a file describes; absent where none does. */
  readonly position?: number;
  /** True for evidence so weak that it counts only when nothing else is found. */
  readonly isFaint?: boolean;
  /** True for evidence that plain Markdown may have, too: it does not count for a space that `docloom.yml` declares. */
  readonly isGuess?: boolean;
}

/** One space to open. */
export interface SpaceInput extends RepositoryFiles {
  /** Without leading and trailing slashes; empty for the root. */
  readonly directory: string;
  /** Folders of the repository's other spaces. */
  readonly siblings: readonly string[];
  /** Entries inside the directory without siblings' folders, dot folders and submodules, in the order of the tree. */
  readonly entries: readonly TreeEntry[];
  /** Whether one of the entries has a path. Unlike `entries`, it may be used for later trees. */
  has(path: RepoPath): boolean;
  /** The repository on its host; undefined when unknown. */
  readonly repository: RepositoryAddress | undefined;
}

/** A space whose configuration is read. */
export interface OpenSpace {
  /**
   * Files whose references are checked, in the order of the tree, including those that the builder leaves out (a README
   * beside the configuration): people read these on the repository's host, by whose rules `publish` has them checked.
   */
  readonly sources: readonly TreeEntry[];
  /** How the bytes of a source or of a link's target are read; null for a file without anchors. */
  readingOf(path: RepoPath): Reading | null;
  /** Problems of the configuration. */
  readonly problems: readonly FileProblem[];
  /** What of the configuration is not shown to readers as the builder shows it. None when absent. */
  readonly notices?: readonly FileProblem[];
  /** Returns problems that a source has only in this space. None when absent. */
  problemsIn?(path: RepoPath, facts: FileFacts): readonly Omit<FileProblem, 'file'>[];
  /**
   * Identifies everything that `open` decided, except which files exist. Two trees whose spaces have the same signature
   * read files in the same way, and a file is a source in both or in neither. When absent, the lookups of `open` decide.
   */
  readonly signature?: string;
  /**
   * Returns what `publish` uses of one file's facts to build rules, as plain JSON: while it is equal, and no file is added
   * or removed, the rules stay the same. Anchors, and what is read through `FilesRead` only when a link is checked or
   * `pages` is used, do not belong to it. When absent, any change of a file changes the rules.
   */
  shapedBy?(path: RepoPath, facts: FileFacts): unknown;
  /**
   * Identifies what may make pages, files and anchors that the repository does not contain: plugins, hooks, functions of
   * the configuration, and the scripts that they name, but not the navigation. `index` is that of the tree in question,
   * which may be a later one. Absent when nothing does.
   */
  generator?(index: TreeIndex): string;
  /** Returns the settings of the space; none when absent. */
  settings?(files: FilesRead): SpaceSettings;
  /** The rules may be used for later trees, too, so they must read `files` each time or through `remember`. */
  publish(files: FilesRead): Publication;
}

/** Access to the facts of files. */
export interface FilesRead {
  /** Returns the facts of a source or any other file; undefined when it was not read (yet) or is not a page. */
  facts(path: RepoPath): FileFacts | undefined;
  /** Returns the file at a path with symbolic links followed; null when there is no file. */
  file(path: RepoPath): TreeEntry | null;
  /**
   * Computes a value once and reuses it for later trees until one of its dependencies changes. It must depend on `files`
   * and the space's index alone; everything else that decides it belongs in `key`. `make` learns whether later trees may
   * reuse the value. If so, `patch` computes it from the last value when only the lookups in `touched` (paths and other
   * keys of the tree) differ, and returns null when it cannot.
   */
  remember<Value>(
    key: string,
    make: (isReused: boolean) => Value,
    patch?: (last: Value, touched: ReadonlySet<string>) => Value | null,
  ): Value;
  /**
   * Returns a table of rows that each file of the space contributes independently: a file's rows are computed again only
   * when the file or another of their dependencies changes. `rowsOf` may use the files of `FilesRead`, the entry's path and
   * mode, and no other tables. Rows are plain JSON.
   */
  table<Row>(name: string, rowsOf: TableRows<Row>): Table<Row>;
}

/** Returns the rows that one file of the space contributes to a table; none for most files. */
export type TableRows<Row> = (entry: TreeEntry) => Iterable<readonly [key: string, value: Row]>;

export interface TableRow<Row> {
  readonly file: RepoPath;
  readonly value: Row;
}

/** A table may be stored and used for later trees, whose rows it then returns. */
export interface Table<Row> {
  /** In the order of the files' paths. */
  rows(key: string): readonly TableRow<Row>[];
}

/** A space as readers see it. */
export interface Publication {
  /** The navigation, nested. Computed on each access, for the current tree. */
  readonly pages: readonly Page[];
  /** Computed on access, from the entries that the space was opened with. */
  readonly assets: readonly Asset[];
  /** Returns the rules for the references of one source: those of the builder's pages, or of files that it leaves out. */
  rulesOf(file: RepoPath): LinkRules;
  /** Whether a reference is not checked, for example the second of two equal ones. None when absent. */
  skips?(file: RepoPath, reference: Reference): boolean;
  /**
   * Returns the paths for which the rules may differ from those of `previous`, a publication of a space with the same
   * signature; changes of the index and of `files` are tracked without it. Null, or absent, when they are unknown.
   */
  changesSince?(previous: Publication): Iterable<RepoPath> | null;
}
