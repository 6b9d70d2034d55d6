/** Changing destinations and settings where they stand, and nothing else of a file. */

export { destinationsAfterMove, isStraight, type MovedLink } from './destinations-after-move.ts';
export { movedSetting } from './path-settings.ts';
export {
  type DestinationEdit,
  planDestinations,
  type Rewritten,
  rewriteDestinations,
} from './rewrite-destinations.ts';
export { addYamlEntries, writeYamlText, type YamlText, yamlEntryLines, yamlTexts } from './yaml-edits.ts';
