import { generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import type { DocusaurusPages } from './docusaurus-context.ts';
import type { DocusaurusSite } from './docusaurus-site.ts';
import { PAGE } from './target-kind.ts';

/**
 * The rules of files that the site leaves out, in a folder of content: they are a version that is published later, so a
 * missing page is unchecked if the builder would find it then, from the top of the folder, and so is a missing heading: such
 * files are read as the host shows them, without the parts that they include.
 */
export function withNextVersion(
  { contents }: Pick<DocusaurusSite, 'contents'>,
  { hasFile }: Pick<DocusaurusPages, 'hasFile'>,
  rules: LinkRules,
): LinkRules {
  const folderAround = (file: RepoPath) => contents.find(({ folder }) => isInside(file, folder))?.folder;
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const [written = ''] = reference.target.split(/[?#]/);
      const folder = folderAround(file);
      if (folder !== undefined && PAGE.test(written) && !/^[./]|:/.test(written)) {
        const path = joinPath(folder, written);
        if (hasFile(path))
          return generatedVerdict(
            `No version of the site has ${file}; in one, the link would lead to ${path}.`,
          );
      }
      const page = folder === undefined ? null : pageBeside(file, written, hasFile);
      if (page !== null)
        return generatedVerdict(
          `No version of the site has ${file}; in one, the link would lead to ${page}.`,
        );
      return rules.explainMissing?.(resolution, file, reference) ?? null;
    },
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      const { page } = query;
      if (checked.status !== 'broken' || folderAround(page) === undefined) return checked;
      const message = `No version of the site has ${page}; in one, a part that it includes may have this heading.`;
      return { status: 'unchecked', message, knownNames: checked.names };
    },
  };
}

/** The page of a relative address, which starts at the folder of the page. */
function pageBeside(file: RepoPath, written: string, hasFile: (path: RepoPath) => boolean): RepoPath | null {
  if (written === '' || /^\/|:/.test(written)) return null;
  const found = resolvePath(file, written.replace(/\/$/, ''));
  if (!found.inside) return null;
  return PAGE_ENDINGS.map((ending) => found.path + ending).find(hasFile) ?? null;
}

const PAGE_ENDINGS = ['.md', '.mdx', '/index.md', '/index.mdx'];
