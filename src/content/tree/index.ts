export { diffTrees, entriesAmong } from './diff-trees.ts';
export { LayeredMap } from './layered-map.ts';
export { type GitignoreMatcher, matchGitignore, matchPathPatterns } from './match-gitignore.ts';
export {
  indexRank,
  isDotGithubPage,
  isExampleFolder,
  isHostFile,
  isInside,
  isLeftOut,
  isPageFile,
  isReadme,
  isSource,
  isSourceOfSpace,
  isSummaryFile,
  isTestFixture,
  isTestInput,
  pathInside,
  withoutInstalled,
} from './page-files.ts';
export { folderOf, relativePath, resolvePath, trimEndSlashes, trimSlashes } from './relative-path.ts';
export {
  foldersAbove,
  type LocatedPath,
  type OnLookup,
  type ReadSymlink,
  setTreeIndex,
  TreeIndex,
  treeIndexOf,
} from './tree-index.ts';
