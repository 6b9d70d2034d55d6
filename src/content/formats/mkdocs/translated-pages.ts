import { generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isHostFile, isInside, pathInside, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { isLanguageFolder } from './language-projects.ts';

/**
 * The folder of translations in which a page beside the site has the path of the page that it translates, such as
 * `i18n/de/pages` for `i18n/de/pages/guide/start.md` beside `docs/guide/start.md`; null for other pages.
 */
function translationsOf(page: RepoPath, docs: RepoPath, index: TreeIndex): RepoPath | null {
  const names = page.split('/');
  const first = names.findIndex((name) => isLanguageFolder(name));
  if (first === -1) return null;
  for (let at = first + 1; at < names.length; at += 1) {
    if (index.entry(joinPath(docs, names.slice(at).join('/'))) !== undefined)
      return names.slice(0, at).join('/');
  }
  return null;
}

/** Rules under which pages that were not translated are those of the site, to which a build adds the translations beside it. */
export function withTranslatedPages(rules: LinkRules, docs: RepoPath | null, index: TreeIndex): LinkRules {
  if (docs === null) return rules;
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      const folder = own === null && !isHostFile(file) ? translationsOf(file, docs, index) : null;
      if (folder === null) return own;
      for (const path of resolution.candidates) {
        const source = isInside(path, folder) ? joinPath(docs, pathInside(path, folder)) : null;
        if (source !== null && index.entry(source) !== undefined)
          return generatedVerdict(`There is no ${path}; the build may show ${source} in its place.`);
      }
      return own;
    },
  };
}
