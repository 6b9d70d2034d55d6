/** Changing destinations where they stand, and nothing else of a file. */

export { type DestinationEdit, type Rewritten, rewriteDestinations } from './rewrite-destinations.ts';
