/** Changes that a move of files needs besides links: configuration and redirects. */

export { configureDocloom } from './configure-docloom.ts';
export {
  explainLost,
  findLostAddresses,
  findLostInSpaces,
  type LostAddress,
  type LostInSpace,
} from './lost-addresses.ts';
export type { WorseLink } from './plan/find-worse.ts';
export { contentsAbove } from './plan/plan-contents.ts';
export type { PlannedEdit } from './plan/plan-links.ts';
export { type ByHand, type MovePlan, type PathMove, planMove } from './plan/plan-move.ts';
export type { FilesToMove, PlannedText, PlannedTexts } from './plan/planned-tree.ts';
export type { RedirectChange } from './redirect-pages.ts';
export { configureSpace, redirectSpace, type SpaceSides } from './space-move.ts';
