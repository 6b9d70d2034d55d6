import { createReading } from '../../facts/index.ts';
import type { FilesRead, Format, SpaceInput } from '../../format-port/index.ts';
import type { Page, RepoPath, TreeEntry } from '../../model/index.ts';
import { type PageFile, pageFilesOf, pagesFromFolders, pagesFromSummary } from '../../pages/index.ts';
import {
  folderOf,
  isHostFile,
  isInside,
  isPageFile,
  isSourceOfSpace,
  isSummaryFile,
} from '../../tree/index.ts';
import { readBuildTargets } from '../build-targets.ts';
import { withCommentIncludes } from '../comment-includes.ts';
import { frontMatterRedirects } from '../front-matter-redirects.ts';
import { withSymlinkedPages } from '../symlinked-pages.ts';
import { findAssembledPages, withAssembly } from './assembled-pages.ts';
import { recordComponentLink } from './component-links.ts';
import { findFilledSites, withFilling } from './filled-sites.ts';
import {
  docsifyRoots,
  explainForeign,
  findForeignProjects,
  identifyBuilders,
  includerOf,
  isArchetype,
  projectOf,
} from './foreign-builders.ts';
import { withDocfxTargets, withDocsifyRoots } from './foreign-names.ts';
import { isMdx } from './foreign-rules.ts';
import { bestIndexFiles, githubRules, isPartOfCrate, publishedRules } from './github-rules.ts';
import { withLanguageVariants } from './language-variants.ts';
import { createProjectRules, readingInProjects } from './project-rules.ts';
import { findPythonMarkdownFolders, withPythonMarkdownNames } from './python-markdown.ts';
import { readRedirectedPages } from './redirected-pages.ts';
import { isWrittenForSite, withSiteAddresses } from './site-front-matter.ts';
import { findNavigatedFolders } from './site-navigation.ts';

/**
 * Plain Markdown as GitHub renders it: every Markdown file is a page, `SUMMARY.md` orders them if there is one, and
 * links may lead anywhere in the repository. In projects of builders that are not known, only what holds for all of them
 * is checked.
 */
export const githubFormat: Format = {
  detect: () => [{ directory: '', title: null, isFaint: true }],
  open(space) {
    const host = withLanguageVariants(githubRules(space.tree, space.repository), space.index);
    const projects = findForeignProjects(space);
    // What another space or project publishes has addresses there.
    const isBeside = space.siblings.length > 0 || projects.length > 0;
    const sites = [...space.siblings, ...projects.map(({ folder }) => folder)];
    const published = publishedRules(host, space.index, { isBeside, sites });
    const isDocfx = projects.some(({ builder }) => builder === 'DocFX');
    const ofDocfx = isDocfx ? withDocfxTargets(published) : published;
    const roots = docsifyRoots(projects, space);
    const rules = roots.length === 0 ? ofDocfx : withDocsifyRoots(ofDocfx, roots, space.index);
    const redirected = readRedirectedPages(space);
    const navigated = findNavigatedFolders(space);
    const assembled = findAssembledPages(space);
    const filled = findFilledSites(space);
    const forPython = findPythonMarkdownFolders(space);
    const made = projects.length === 0 ? null : readBuildTargets(space);
    const projectRules = createProjectRules(space, host, { redirected, made });
    return {
      sources: space.entries.filter(
        (entry) => (isSourceOfSpace(entry) || isComponentPage(entry)) && !isArchetype(projects, entry.path),
      ),
      readingOf: (path) =>
        isPageFile(path) ? readingInProjects(projects, path, space) : isMdx(path) ? plainMdxReading : null,
      problems: explainForeign(projects),
      signature: JSON.stringify([
        projects,
        made?.key,
        roots,
        isBeside,
        redirected.key,
        navigated,
        forPython,
        assembled.key,
        filled.key,
      ]),
      generator: (index) => identifyBuilders(projects, index),
      shapedBy: () => null,
      settings: (files) => ({
        reusable: [],
        variables: {},
        redirects: frontMatterRedirects(space.entries, files, isPageFile),
      }),
      publish: (files) => ({
        get pages() {
          return buildPages(space, files);
        },
        get assets() {
          return space.entries
            .filter((entry) => !isPageFile(entry.path))
            .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
        },
        rulesOf(file) {
          const project = projectOf(projects, file) ?? includerOf(projects, file);
          if (project !== undefined) return projectRules.ofProject(project, files);
          if (isPartOfCrate(file, space.index)) return projectRules.ofBuilder('rustdoc');
          const isForSite =
            isMdx(file) || isPart(file) || isWrittenForSite(file, files.facts(file)?.frontMatter);
          const ofSite = () => projectRules.ofBuilder('What publishes this page');
          const ofFile = isForSite
            ? ofSite()
            : withSiteAddresses(rules, ofSite, { files, navigated, index: space.index });
          const python = forPython.find((folder) => isInside(file, folder));
          const named = python === undefined ? ofFile : withPythonMarkdownNames(ofFile, python);
          const source = assembled.sourceOf(file);
          const whole = source === null ? named : withAssembly(named, source);
          const program = filled.programFor(file);
          const beside = program === null ? whole : withFilling(whole, program);
          const own = withCommentIncludes(beside, files, space.index);
          return projects.length === 0
            ? own
            : withSymlinkedPages(own, files, (path) => projectOf(projects, path) !== undefined);
        },
        // The rules depend only on the index of files.
        changesSince: () => [],
      }),
    };
  },
};

/** An expression that is one text, such as a sample of HTML, whatever the rest of the page is read as. */
const TEXT_IN_CODE = /\{`[^`]*`\}/g;

/** MDX that no known builder publishes is read for its links, with those of components. */
export const plainMdxReading = createReading({
  key: 'github:mdx',
  syntax: 'mdx',
  tag: recordComponentLink,
  prepare: (source) => ({ source: source.replace(TEXT_IN_CODE, (text) => text.replace(/[^{}\r\n]/g, ' ')) }),
});

/** Whether a page is in a folder of parts, which builders and scripts include in others: `_parts`, `docs/includes`. */
function isPart(file: RepoPath): boolean {
  return (
    /(?:^|\/)(?:_[a-z]|(?:includes?|partials?|snippets?|fragments?)(?:\/|$))/i.test(folderOf(file)) &&
    !isHostFile(file)
  );
}

function isComponentPage({ path, mode }: TreeEntry): boolean {
  return isMdx(path) && mode !== 'symlink' && mode !== 'submodule';
}

function buildPages({ entries, directory }: SpaceInput, read: FilesRead): readonly Page[] {
  const files = pageFilesOf(entries, read, (path) => isPageFile(path) && !isSummaryFile(path));
  const summary = entries.find(
    (entry) => isSummaryFile(entry.path) && folderOf(entry.path) === directory && entry.mode !== 'symlink',
  );
  const contents = summary === undefined ? null : (read.facts(summary.path)?.contents ?? null);
  if (summary === undefined || contents === null || contents.length === 0) {
    return pagesFromFolders([...files.values()], directory);
  }
  const folderPages = bestIndexFiles(files.keys());
  return pagesFromSummary(contents, {
    summaryPath: summary.path,
    directory,
    pageAt: (path: RepoPath): PageFile | null =>
      files.get(path) ?? files.get(folderPages.get(path) ?? '') ?? null,
  });
}
