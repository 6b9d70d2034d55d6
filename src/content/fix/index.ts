/** Changing destinations and settings where they stand, and nothing else of a file. */

export { destinationsAfterMove, isStraight, type MovedLink } from './destinations-after-move.ts';
export { applyEdits, type EntriesEdit, type FileEdit, firstOfEachFile } from './file-edit.ts';
export { type DestinationEdit, type Rewritten, rewriteDestinations } from './rewrite-destinations.ts';
