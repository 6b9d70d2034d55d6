import type {
  ChangeRequest,
  ChangeRequestContributor,
  ChangeRequestReview,
  LinkResource,
  MergeStatus,
  RequestedReviewer,
  Space,
} from '../../client/index.ts';
import type { Markup } from '../../markup/index.ts';
import type { CarryingPull, SpaceRepository } from '../scheduled.ts';
import type { FileView } from './changed-file-view.ts';
import type { SpaceFrame } from './space-frame.ts';
import type { Candidates } from './subject-picker.ts';

/** What the page of a change request shows. */
export interface ChangeRequestFacts {
  readonly frame: SpaceFrame;
  readonly space: Space;
  readonly changeRequest: ChangeRequest;
  /** Its description as HTML; null where it has none. */
  readonly description: Markup | null;
  readonly files: readonly FileView[];
  /** How many files differ in all. */
  readonly fileCount: number;
  readonly moreFiles: string | null;
  /** How pages are shown unless a file says otherwise. */
  readonly shownAs: 'rendered' | 'source';
  /** Newest first. */
  readonly reviews: readonly ChangeRequestReview[];
  readonly requested: readonly RequestedReviewer[];
  readonly contributors: readonly ChangeRequestContributor[];
  readonly merge: MergeStatus;
  /** Broken links that it brings, and how many there are. */
  readonly brokenLinks: readonly LinkResource[];
  readonly brokenCount: number;
  /** The repository of its space; null where there is none that the reader may know of. */
  readonly repository: SpaceRepository | null;
  /** The pull requests that carry it. */
  readonly pulls: readonly CarryingPull[];
  /** Whom the reader may request to review; null where they may not. */
  readonly candidates: Candidates | null;
  /** Whether its author has just asked for reviews, and names reviewers next. */
  readonly isAsking: boolean;
  /** The form that the script puts beside blocks; null where the reader may not comment. */
  readonly commentTemplate: Markup | null;
  readonly userId: string | null;
  readonly news: string | null;
  readonly problem: string | null;
  readonly now: Date;
}
