export type {
  FilesRead,
  Format,
  FoundSpace,
  OpenSpace,
  Publication,
  RepositoryFiles,
  SpaceInput,
  Table,
  TableRow,
  TableRows,
} from './format.ts';
export {
  type ConfigurationChange,
  type FormatMoves,
  lineAt,
  type MoveNote,
  type NewRedirect,
  type PublishedFiles,
  type RedirectTable,
  type SpaceMove,
} from './format-moves.ts';
export {
  type AnchorQuestion,
  type AnchorVerdict,
  brokenFinding,
  type Finding,
  type FoundPlace,
  finding,
  type LinkRules,
  type PathResolution,
  type Resolution,
} from './link-rules.ts';
export { repositoryFiles } from './repository-files.ts';
