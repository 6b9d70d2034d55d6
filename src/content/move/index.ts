/** Changes that a move of files needs besides links: configuration and redirects. */

export { configureDocloom } from './configure-docloom.ts';
export {
  explainLost,
  findLostAddresses,
  findLostInSpaces,
  type LostAddress,
  type LostInSpace,
} from './lost-addresses.ts';
export type { RedirectChange } from './redirect-pages.ts';
export { configureSpace, redirectSpace, type SpaceSides } from './space-move.ts';
