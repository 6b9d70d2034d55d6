import { generatedVerdict, type LinkRules, linkVerdict, type SpaceInput } from '../format-port/index.ts';
import { isHostFile } from '../tree/index.ts';
import { alternativeMarkdownPaths, githubRules } from './github/github-rules.ts';

/**
 * The rules of a file that its space's builder does not publish: as GitHub shows it. But what seems to be an address of
 * the site may be one: another page may show the file, or another program publish it. That holds for `guide.html`
 * without a Markdown file, and for missing targets from the root or without an extension in files that are not written for
 * the repository's host.
 */
export function leftOutRules({
  tree,
  index,
  repository,
}: Pick<SpaceInput, 'tree' | 'index' | 'repository'>): LinkRules {
  return {
    ...githubRules(tree, repository),
    explainMissing({ candidates: [path] }, file, { kind, target }) {
      const isImage = kind === 'image' || kind === 'html-image';
      const [written = ''] = target.trim().split(/[?#]/);
      const mayBeAddress = isImage ? written.startsWith('/') : isAddress(written);
      if (mayBeAddress && !isHostFile(file)) {
        return generatedVerdict(
          `${file} is not a page of the site, and ${written} may be an address of what shows it.`,
        );
      }
      if (isImage || !/\.html?$/i.test(path)) return null;
      if (alternativeMarkdownPaths(path).some((candidate) => index.entry(candidate) !== undefined))
        return null;
      return linkVerdict(
        'unchecked',
        `${path} is the address of a published page, and nothing here says who publishes it.`,
      );
    },
  };
}

/** Whether a path has the form of a site's addresses: from the root, or of several parts without an extension. */
function isAddress(path: string): boolean {
  if (!/^[\w.~@%+/-]*\/[\w.~@%+/-]*$/.test(path)) return false;
  return path.startsWith('/') || !/[^/.]\.[a-z0-9]{1,10}$/i.test(path);
}
