import { type FilesRead, generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { isHostFile } from '../../tree/index.ts';
import { alternativeMarkdownPaths } from './github-rules.ts';

/** Settings of pages that only builders of sites read; the repository's host shows them as a table. */
const SETTINGS: ReadonlySet<string> = new Set([
  'title',
  'slug',
  'permalink',
  'layout',
  'sidebar_position',
  'sidebar_label',
  'sidebar_title',
  'sidebarTitle',
  'nav_order',
  'weight',
  'hide_title',
  'hide_table_of_contents',
  'pagination_next',
  'pagination_prev',
  'redirect_from',
  'aliases',
]);

/**
 * Whether a page's front matter shows that a site publishes it, whose builder this repository does not hold: another
 * repository may fetch it. READMEs and the like are written for the repository's host.
 */
export function isWrittenForSite(file: RepoPath, frontMatter: FileFacts['frontMatter'] | undefined): boolean {
  if (frontMatter === undefined || isHostFile(file)) return false;
  return Object.keys(frontMatter).some((key) => SETTINGS.has(key));
}

/** Rules under which a missing path is unchecked if it names a page that is written for a site: it may be its address. */
export function withSiteAddresses(rules: LinkRules, files: FilesRead): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || isHostFile(file)) return own;
      for (const path of resolution.candidates.flatMap(alternativeMarkdownPaths)) {
        if (!isWrittenForSite(path, files.facts(path)?.frontMatter)) continue;
        return generatedVerdict(`${path} is written for a site, where it may have this address.`);
      }
      return null;
    },
  };
}
