import { type LinkRules, linkVerdict, type SpaceInput } from '../format-port/index.ts';
import { alternativeMarkdownPaths, githubRules } from './github/github-rules.ts';

/**
 * The rules of a file that its space's builder does not publish: as GitHub shows it. But the address of a published page
 * (`guide.html`) without a Markdown file may be valid if another program publishes the file.
 */
export function leftOutRules({
  tree,
  index,
  repository,
}: Pick<SpaceInput, 'tree' | 'index' | 'repository'>): LinkRules {
  return {
    ...githubRules(tree, repository),
    explainMissing({ candidates: [path] }, _file, { kind }) {
      if (kind === 'image' || kind === 'html-image' || !/\.html?$/i.test(path)) return null;
      if (alternativeMarkdownPaths(path).some((candidate) => index.entry(candidate) !== undefined))
        return null;
      return linkVerdict(
        'unchecked',
        `${path} is the address of a published page, and nothing here says who publishes it.`,
      );
    },
  };
}
