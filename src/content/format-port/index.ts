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
  type MoveNotice,
  type NewRedirect,
  type PublishedFiles,
  type RedirectTable,
  type SpaceMove,
} from './format-moves.ts';
export {
  type AnchorQuery,
  type AnchorVerdict,
  brokenVerdict,
  type FoundTarget,
  generatedVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from './link-rules.ts';
export {
  type FilesOfTree,
  followToFolder,
  repositoryFiles,
  type ValuesLanguage,
} from './repository-files.ts';
