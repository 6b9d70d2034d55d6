import { generatedVerdict, type LinkRules, type RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside } from '../../tree/index.ts';
import { CONFIG_NAMES } from './language-projects.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';

/** Configurations beyond this number are not asked. */
const MAX_CONFIGS = 50;

/**
 * The configuration of the site that may include this one with the plugin `monorepo`, for which the name of an included site
 * is the folder in which its pages are published, such as `site_name: docs/latest`
 * (https://backstage.github.io/mkdocs-monorepo-plugin/); null when there is none.
 */
export function siteAround(
  { file, title }: Pick<MkdocsConfig, 'file' | 'title'>,
  { index, text }: Pick<RepositoryFiles, 'index' | 'text'>,
): RepoPath | null {
  if (title === null || !/^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,10}$/.test(title)) return null;
  const others = CONFIG_NAMES.flatMap((name) => index.named(name)).slice(0, MAX_CONFIGS);
  return others.find((other) => other !== file && /^\s*-\s*["']?monorepo\b/m.test(text(other) ?? '')) ?? null;
}

/** Rules under which links out of an included site's folder of pages are unchecked: they may lead to pages around it. */
export function withSiteAround(
  rules: LinkRules,
  around: RepoPath | null,
  { docsFolder }: Pick<MkdocsConfig, 'docsFolder'>,
): LinkRules {
  if (around === null || docsFolder === null) return rules;
  const elsewhere = generatedVerdict(
    `The site of ${around} may include this one, and the link may lead to another of its pages.`,
  );
  return {
    ...rules,
    resolve(file, reference) {
      const resolution = rules.resolve(file, reference);
      const leaves = resolution.kind === 'verdict' && resolution.rule === 'outside-repository';
      return leaves ? elsewhere : resolution;
    },
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || resolution.candidates.some((path) => isInside(path, docsFolder))) return own;
      return elsewhere;
    },
  };
}
