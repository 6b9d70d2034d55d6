import { brokenVerdict, type LinkRules } from '../../../../src/content/format-port/index.ts';
import { anchorNames, hasAnchor, parseTarget, resolveParsed } from '../../../../src/content/links/index.ts';
import type { RepoPath } from '../../../../src/content/model/index.ts';
import { isInside, isPageFile } from '../../../../src/content/tree/index.ts';

/** What `folio.txt` decides. */
export interface Folio {
  readonly images: RepoPath;
  readonly pages: ReadonlySet<RepoPath>;
}

export function folioRules({ images, pages }: Folio): LinkRules {
  return {
    resolve(file, reference) {
      const target = reference.target.replace(/\.html(?=#|$)/, '.md');
      return resolveParsed(file, parseTarget(file, { ...reference, target }, undefined));
    },
    isPage: isPageFile,
    indexPageOf: () => null,
    anchorsOfFolder: () => false,
    checkAccess({ file }, from, { kind }) {
      if (file === null || file === from) return null;
      if (kind === 'image' && !isInside(file, images))
        return brokenVerdict('outside-space', `${file} is not in ${images}, so readers do not see it.`);
      if (isPageFile(file) && !pages.has(file))
        return brokenVerdict('unlisted-page', `folio.txt does not list ${file}, so it is not published.`);
      return null;
    },
    checkAnchor: ({ facts, anchor }) =>
      hasAnchor(facts, anchor) ? { status: 'ok' } : { status: 'broken', names: anchorNames(facts) },
    alternativePaths: () => [],
  };
}
