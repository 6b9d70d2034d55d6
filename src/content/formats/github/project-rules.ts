import { readingOfMarkdown } from '../../facts/index.ts';
import type { FilesRead, LinkRules, SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { Reading } from '../../parse/index.ts';
import { isSummaryFile, isTestFixture, pathInside } from '../../tree/index.ts';
import type { BuildTargets } from '../build-targets.ts';
import { withMadeTargets } from '../made-targets.ts';
import { type ForeignProject, projectOf, READS_MYST, RUNS_TEMPLATES } from './foreign-builders.ts';
import { withAliases, withMystNames, withOtherModules } from './foreign-names.ts';
import { foreignRules } from './foreign-rules.ts';
import { withFormerAddresses } from './former-addresses.ts';
import { withMintlifyAddresses } from './mintlify-addresses.ts';
import { withPageAddresses } from './page-addresses.ts';
import type { RedirectedPages } from './redirected-pages.ts';
import { gravReading, hugoReading, mystReading, paradoxReading, templateReading } from './site-readings.ts';

/** The rules of what builders publish whose rules are not known, each made once. */
export interface ProjectRules {
  /** The rules of a builder, whichever project its page is in. */
  ofBuilder(builder: string, makesPages?: boolean): LinkRules;
  ofProject(project: ForeignProject, files: FilesRead): LinkRules;
}

export function createProjectRules(
  { index }: Pick<SpaceInput, 'index'>,
  host: LinkRules,
  { redirected, made }: { readonly redirected: RedirectedPages; readonly made: BuildTargets | null },
): ProjectRules {
  const known = new Map<string, LinkRules>();
  const ofBuilder = (builder: string, makesPages = false) => {
    const own = known.get(builder);
    if (own !== undefined) return own;
    const plain = foreignRules(host, { builder, makesPages }, index, redirected);
    const rules = made === null ? plain : withMadeTargets(plain, made.explain);
    known.set(builder, rules);
    return rules;
  };
  return {
    ofBuilder,
    ofProject(project, files) {
      const { builder, folder, makesPages, aliases, otherModules, sharedContents } = project;
      const former = withFormerAddresses(ofBuilder(builder, makesPages), files);
      const found = builder === 'Mintlify' ? withMintlifyAddresses(former, folder, index) : former;
      const own = makesPages ? found : withPageAddresses(found, host, project, { index, files, redirected });
      if (READS_MYST.has(builder)) return withMystNames(own, files);
      if (otherModules !== undefined || sharedContents !== undefined) return withOtherModules(own, project);
      return aliases === undefined ? own : withAliases(own, aliases);
    },
  };
}

/** How a Markdown page is read that may be in a project of such a builder. */
export function readingInProjects(
  projects: readonly ForeignProject[],
  path: RepoPath,
  { directory }: Pick<SpaceInput, 'directory'>,
): Reading {
  // The data of tests is recognised by its reading, too.
  const isPlain = projects.length === 0 || isSummaryFile(path) || isTestFixture(pathInside(path, directory));
  const builder = isPlain ? undefined : projectOf(projects, path)?.builder;
  if (builder === undefined) return readingOfMarkdown(path);
  if (READS_MYST.has(builder)) return mystReading;
  if (builder === 'Grav') return gravReading;
  if (builder === 'Paradox') return paradoxReading;
  if (builder === 'Hugo') return hugoReading;
  return RUNS_TEMPLATES.has(builder) ? templateReading : readingOfMarkdown(path);
}
