import type { Change, FormatName, Link } from '../../content/index.ts';
import type { EntriesEdit } from '../../content/text/index.ts';

export interface CheckedSpace {
  /** `.` for the root. */
  readonly directory: string;
  readonly format: FormatName;
  readonly pages: number;
}

/** A link, and what the change did to it; null without a base, or when it is not broken. */
export type CheckedLink = Omit<Link, 'warning'> & {
  readonly change: Change | null;
  /** The status of the link, or what was found out about an external address. */
  readonly warning: { readonly rule: string; readonly message: string } | null;
};

/** A problem that breaks no link but that people should know about. */
export interface CheckNotice {
  /** Whether it fails the check, as the configuration says. */
  readonly fails?: boolean;
  readonly file: string;
  readonly line: number | null;
  readonly rule: string;
  readonly message: string;
}

/** Redirects to be written into one file of the tree. */
export interface Redirects extends EntriesEdit {
  readonly entries: readonly { readonly from: string; readonly to: string }[];
}

/** The findings of one run of `docloom check`, for every report format. */
export interface CheckResult {
  /** The folder that all paths are relative to. */
  readonly root: string;
  readonly spaces: readonly CheckedSpace[];
  /** Files whose links were checked. */
  readonly files: number;
  /** All links, by file and position, except those counted in `well`. */
  readonly links: readonly CheckedLink[];
  /** How many links are ok, need no mention, and are not among `links`. */
  readonly well: number;
  /** Links that were broken in the base and no longer are, as they were there. */
  readonly fixed: readonly CheckedLink[];
  readonly notices: readonly CheckNotice[];
  /** The redirects that can be written for addresses that the change removes, each with its entries. */
  readonly redirects: readonly Redirects[];
  /** The commit that the tree was compared with; null without a base. */
  readonly base: string | null;
}
