export { diffTrees, entriesAmong } from './diff-trees.ts';
export { isExampleFolder, withoutInstalled } from './example-folders.ts';
export { LayeredMap } from './layered-map.ts';
export {
  indexRank,
  isInside,
  isLeftOut,
  isPageFile,
  isReadme,
  isSource,
  isSourceOfSpace,
  isSummaryFile,
  pathInside,
} from './page-files.ts';
export { folderOf, relativePath, resolvePath } from './relative-path.ts';
export {
  foldersAbove,
  type LocatedPath,
  type OnLookup,
  setTreeIndex,
  TreeIndex,
  treeIndexOf,
} from './tree-index.ts';
export { trimEndSlashes, trimSlashes } from './trim-slashes.ts';
