/** The comparison of two trees of a repository: what a change did to links and addresses. */

export { compareIgnoring, type IgnoringComparison } from './compare-ignoring.ts';
export {
  type CommentSource,
  type ComparedTree,
  compareTrees,
  type TreeComparison,
  type TreesToCompare,
} from './compare-trees.ts';
export { explainUnjudged } from './explain-unjudged.ts';
