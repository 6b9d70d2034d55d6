import { generatedVerdict, type LinkRules, type SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { isHostFile, type TreeIndex } from '../tree/index.ts';
import {
  alternativeMarkdownPaths,
  explainMissingHtml,
  explainTemplate,
  githubRules,
} from './github/github-rules.ts';

/**
 * The rules of a file that its space's builder does not publish: as GitHub shows it. But what seems to be an address of
 * the site may be one: another page may show the file, or another program publish it. That holds for `guide.html`
 * without a Markdown file, and for missing targets from the root or without an extension in files that are not written for
 * the repository's host. `isOfSite` is true for files in the site's own folder: they are usually parts of pages, which
 * have the headings to which such a file's fragments lead.
 */
export function leftOutRules(
  { tree, index, repository }: Pick<SpaceInput, 'tree' | 'index' | 'repository'>,
  isOfSite: (file: RepoPath) => boolean = () => false,
): LinkRules {
  const host = githubRules(tree, repository);
  return {
    ...host,
    isLeftOut: true,
    checkAnchor(query) {
      const { file, page, anchor } = query;
      const checked = host.checkAnchor(query);
      if (checked.status !== 'broken' || page !== file || isHostFile(file) || !isOfSite(file)) return checked;
      const message = `${file} is not a page of the site, and “${anchor}” may be a heading of what shows it.`;
      return { status: 'unchecked', message, knownNames: checked.names };
    },
    explainMissing({ candidates: [path] }, file, { kind, target }) {
      const ofTemplate = explainTemplate(file, target);
      if (ofTemplate !== null) return ofTemplate;
      const isImage = kind === 'image' || kind === 'html-image';
      const [written = ''] = target.trim().split(/[?#]/);
      const mayBeAddress = isImage
        ? written.startsWith('/')
        : isAddress(written) || (isName(written) && hasPage(path, index));
      if (mayBeAddress && !isHostFile(file)) {
        return generatedVerdict(
          `${file} is not a page of the site, and ${written} may be an address of what shows it.`,
        );
      }
      return isImage ? null : explainMissingHtml(path, index);
    },
  };
}

/** Whether a path is one name without an extension. */
function isName(path: string): boolean {
  return /^[\w~@%+-]+$/.test(path);
}

function hasPage(path: RepoPath, index: TreeIndex): boolean {
  return alternativeMarkdownPaths(path).some((candidate) => index.entry(candidate) !== undefined);
}

/** Whether a path has the form of a site's addresses: from the root, or of several parts without an extension. */
function isAddress(path: string): boolean {
  if (!/^[\w.~@%+/-]*\/[\w.~@%+/-]*$/.test(path)) return false;
  return path.startsWith('/') || !/[^/.]\.[a-z0-9]{1,10}$/i.test(path);
}
