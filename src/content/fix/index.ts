/** Changing destinations and settings where they stand, and nothing else of a file. */

export { applyEdits, type EntriesEdit, type FileEdit, firstOfEachFile } from '../text/file-edit.ts';
export { destinationsAfterMove, isStraight, type MovedLink } from './destinations-after-move.ts';
export { type DestinationEdit, type Rewritten, rewriteDestinations } from './rewrite-destinations.ts';
