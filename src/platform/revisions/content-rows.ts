import type { Link, Page, SpaceAnalysis, TreeEntry } from '../../content/index.ts';
import type {
  ContentChanges,
  EntryRow,
  FileRow,
  MovedPage,
  PageRow,
  RevisionCounts,
  SettingRow,
} from '../../store/index.ts';
import type { SearchLanguages } from '../search/search-language.ts';
import type { LinkSet, LinkTargets } from './derive-links.ts';

/** All rows of one version, by their keys. */
export interface ContentRows {
  readonly pages: ReadonlyMap<string, PageRow>;
  readonly files: ReadonlyMap<string, FileRow>;
  /** By path. */
  readonly entries: ReadonlyMap<string, EntryRow>;
  readonly settings: ReadonlyMap<string, SettingRow>;
  /** By path, for files whose links were derived in this process; those of other files are derived again. */
  readonly linkSets: ReadonlyMap<string, LinkSet>;
  readonly targets: LinkTargets;
  /** Null if the rows were read back, and not derived in this process. */
  readonly source: ContentSource | null;
}

/** The input that rows were derived from, so that the next version can be derived from the differences. */
export interface ContentSource {
  readonly tree: readonly TreeEntry[];
  readonly navigation: readonly Page[];
  /** The ids of the navigation's entries. */
  readonly pageIds: ReadonlyMap<Page, string>;
  readonly lists: readonly (readonly Link[])[];
  readonly dialects: SpaceAnalysis['dialects'];
  readonly languages: SearchLanguages;
}

/** A version, and the changes to write for it. */
export interface DerivedContent {
  readonly rows: ContentRows;
  readonly changes: ContentChanges;
  readonly counts: RevisionCounts;
  /** The former paths of pages that moved. */
  readonly moved: readonly MovedPage[];
  /** Whether readers would see the same as before. The tree may differ in files that are not shown to them. */
  readonly unchanged: boolean;
}

/** A version without its files and settings. */
export interface DerivedPart {
  readonly rows: Omit<ContentRows, 'files' | 'settings'>;
  readonly changes: Omit<DerivedContent['changes'], 'files' | 'settings'>;
}
