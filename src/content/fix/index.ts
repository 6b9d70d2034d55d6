/** Edits of destinations and settings that leave everything else of a file unchanged. */

export { destinationsAfterMove, isStraight, type MovedLink } from './destinations-after-move.ts';
export { movedSetting } from './path-settings.ts';
export {
  type DestinationEdit,
  planDestinations,
  type Rewritten,
  rewriteDestinations,
} from './rewrite-destinations.ts';
export { addYamlEntries, writeYamlText, type YamlText, yamlEntryLines, yamlTexts } from './yaml-edits.ts';
