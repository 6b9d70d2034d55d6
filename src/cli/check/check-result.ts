import type { Change, FormatName, Link } from '../../content/index.ts';
import type { EntriesEdit } from '../../content/text/index.ts';

export interface CheckedSpace {
  /** `.` for the root. */
  readonly directory: string;
  readonly format: FormatName;
  readonly pages: number;
}

/** A link, and what the change did to it; null when there is no base, or it is not broken. */
export type CheckedLink = Omit<Link, 'warning'> & {
  readonly change: Change | null;
  /** As of the link, or what was found of an address outside. */
  readonly warning: { readonly rule: string; readonly message: string } | null;
};

/** Something that breaks no link and that people should know. */
export interface CheckNotice {
  /** It fails the check, as the configuration wants. */
  readonly fails?: boolean;
  readonly file: string;
  readonly line: number | null;
  readonly rule: string;
  readonly message: string;
}

/** Redirects for one file of the tree, as text that goes into it. */
export interface Redirects extends EntriesEdit {
  readonly entries: readonly { readonly from: string; readonly to: string }[];
}

/** What one run of `docloom check` found, for every way of printing it. */
export interface CheckResult {
  /** The folder that all paths are relative to. */
  readonly root: string;
  readonly spaces: readonly CheckedSpace[];
  /** Files whose links were judged. */
  readonly files: number;
  /** All links, by file and place, but for those that are counted in `well`. */
  readonly links: readonly CheckedLink[];
  /** How many links are ok, deserve no word, and are not among `links`. */
  readonly well: number;
  /** Links that were broken in the base and are so no more, as they stood there. */
  readonly fixed: readonly CheckedLink[];
  readonly notices: readonly CheckNotice[];
  /** What can be written for addresses that the change takes from readers, each with the entries that it holds. */
  readonly redirects: readonly Redirects[];
  /** The commit that it was measured against; null without a base. */
  readonly base: string | null;
}
