export {
  documentEntry,
  groupEntry,
  linkEntry,
  type PageFile,
  pageFilesOf,
  titleFromName,
  withLabel,
} from './page-entry.ts';
export { PagePaths } from './page-paths.ts';
export { readVariableValues } from './page-settings.ts';
export { type FolderEntry, pagesFromFolders } from './pages-from-folders.ts';
export { pagesFromSidebar, type SidebarItem } from './pages-from-sidebar.ts';
export { type LocatedEntry, pagesFromSummary, type SummarySource } from './pages-from-summary.ts';
