import type { SpaceInput } from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import {
  folderOf,
  isHostFile,
  isInside,
  isLeftOut,
  isPageFile,
  isReadme,
  pathInside,
  resolvePath,
  type TreeIndex,
} from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { mintlifyRedirects } from './mintlify-redirects.ts';
import { findShapedFolders } from './project-folders.ts';
import { findCommandedFolders } from './publishing-commands.ts';
import { readWriterside, WRITERSIDE_SETTINGS } from './writerside-modules.ts';

/** A project of a builder whose rules for links are not known here. */
export interface ForeignProject {
  readonly builder: string;
  /** The file that shows it. */
  readonly marker: RepoPath;
  readonly folder: RepoPath;
  /** Whether a build makes the configuration from a template, so that it may make any page too. */
  readonly makesPages: boolean;
  /** True where a command shows it, in a file that changes for other reasons. */
  readonly isCommanded?: true;
  /** Ends of addresses that the configuration leads elsewhere, without an extension. None when absent. */
  readonly aliases?: readonly string[];
  /** The addresses that settings lead elsewhere which say nothing else of what is published. Unknown when absent. */
  readonly redirects?: readonly string[];
  /** Modules of other repositories whose pages the build puts beside the project's own. None when absent. */
  readonly otherModules?: readonly string[];
  /** A table of contents that is a part of other projects', whose pages the build puts beside its own. None when absent. */
  readonly sharedContents?: RepoPath;
}

interface Marker {
  readonly names: readonly string[];
  readonly builder: string;
  /** What the file's text must contain, where other tools have a file of that name; any text when absent. */
  readonly text?: RegExp;
  /** Folders of the project in which the file may be; only the project's own when absent. */
  readonly below?: RegExp;
  readonly makesPages?: true;
  /** Folders in which the file may be; any when absent. */
  readonly own?: RegExp;
  /** True where one at the repository's top says nothing about its other pages. */
  readonly isBelowTop?: true;
  /** True where a repository may have thousands of such files, of which those beside pages are read. */
  readonly isBesidePages?: true;
  /** A folder beside that of the file, whose pages the builder publishes. */
  readonly beside?: string;
}

const scripts = (name: string) =>
  ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((ending) => `${name}.${ending}`);

/** The most specific first: a folder belongs to the first builder that it shows. */
const MARKERS: readonly Marker[] = [
  {
    builder: 'Hugo',
    names: ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'],
    below: /(?:^|\/)config\/_default$/,
  },
  {
    builder: 'Hugo',
    names: ['config.toml'],
    text: /^[ \t]*baseURL[ \t]*=/im,
    below: /(?:^|\/)config\/_default$/,
  },
  {
    builder: 'Hugo',
    names: ['config.yaml', 'config.yml', 'config.json'],
    text: /^[ \t]*["']?baseURL["']?[ \t]*:/im,
    below: /(?:^|\/)config\/_default$/,
  },
  { builder: 'mdBook', names: ['book.toml.in'], makesPages: true },
  {
    builder: 'MkDocs',
    names: [
      'mkdocs-base.yml',
      'mkdocs.base.yml',
      'mkdocs_base.yml',
      'mkdocs-common.yml',
      'mkdocs.common.yml',
      'mkdocs-online.yml',
      'mkdocs-offline.yml',
      'mkdocs-template.yml',
      'mkdocs.template.yml',
      'mkdocs.yml.in',
    ],
    makesPages: true,
  },
  { builder: 'Zensical', names: ['zensical.toml'] },
  { builder: 'ProperDocs', names: ['properdocs.yml', 'properdocs.yaml'] },
  { builder: 'Zola', names: ['config.toml'], text: /^[ \t]*base_url[ \t]*=/m },
  { builder: 'Jupyter Book', names: ['_toc.yml'], text: /^[ \t]*(?:format:[ \t]*jb-|root:|- file:)/m },
  { builder: 'MyST', names: ['myst.yml'] },
  { builder: 'Quarto', names: ['_quarto.yml'] },
  { builder: 'Jekyll', names: ['_config.yml', '_config.yaml'] },
  { builder: 'Sphinx', names: ['conf.py'], text: /\b(?:sphinx|extensions|project|html_theme|master_doc)\b/ },
  { builder: 'Mintlify', names: ['docs.json'], text: /mintlify|"navigation"\s*:/ },
  { builder: 'Mintlify', names: ['mint.json'] },
  { builder: 'Nextra', names: scripts('next.config'), text: /\bnextra\b/ },
  { builder: 'Fumadocs', names: ['source.config.ts', 'source.config.mjs'], text: /fumadocs/ },
  {
    builder: 'Eleventy',
    names: [...scripts('eleventy.config'), '.eleventy.js', '.eleventy.cjs', '.eleventy.mjs'],
  },
  {
    builder: 'Docusaurus 1',
    names: ['siteConfig.js'],
    text: /\b(?:baseUrl|headerLinks)\b/,
    beside: 'docs',
  },
  { builder: 'Antora', names: ['antora.yml'] },
  { builder: 'Documenter.jl', names: ['make.jl'], text: /\bmakedocs\s*\(/ },
  {
    builder: 'Doxygen',
    names: [
      'Doxyfile',
      'Doxyfile.in',
      'doxyfile',
      'doxyfile.in',
      'Doxyfile.cmake',
      'doxygen.conf',
      'doxygen.cfg',
    ],
    text: /^[ \t]*(?:INPUT|PROJECT_NAME|GENERATE_HTML)[ \t]*\+?=/m,
  },
  {
    builder: 'JSDoc',
    names: ['jsdoc.json', '.jsdoc.json', 'jsdoc.conf.json', 'conf.json'],
    text: /"(?:opts|tags|templates|sourceType)"\s*:/,
    isBelowTop: true,
  },
  { builder: 'dumi', names: [...scripts('.dumirc'), '.umirc.ts', '.umirc.js'] },
  { builder: 'Bookdown', names: ['_bookdown.yml'] },
  { builder: 'pkgdown', names: ['_pkgdown.yml', '_pkgdown.yaml'] },
  { builder: 'Play’s documentation', names: ['index.toc'], text: /^!?[\w.-]{1,100}:\S/m },
  { builder: 'Hotdoc', names: ['sitemap.txt'], text: /^\t*[\w./-]+\.(?:md|markdown)[ \t]*$/m },
  // A rule of the repository makes a site of the pages, at the addresses with which it is called.
  {
    builder: 'Bazel',
    names: ['BUILD', 'BUILD.bazel'],
    text: /^[ \t]*permalink[ \t]*=[ \t]*"/m,
    isBesidePages: true,
  },
  { builder: 'Retype', names: ['retype.yml', 'retype.yaml', 'retype.json'] },
  { builder: 'Pelican', names: ['pelicanconf.py'] },
  { builder: 'Middleman', names: ['config.rb'], text: /\b(?:middleman|activate\s+:|page\s+["']\/)/ },
  { builder: 'Nanoc', names: ['nanoc.yaml'] },
  { builder: 'Gridsome', names: scripts('gridsome.config') },
  { builder: 'Contentlayer', names: scripts('contentlayer.config') },
  { builder: 'Content Collections', names: scripts('content-collections') },
  { builder: 'Velite', names: scripts('velite.config') },
  { builder: 'Bridgetown', names: ['bridgetown.config.yml'] },
  { builder: 'Writerside', names: WRITERSIDE_SETTINGS, text: /<ihp\b/ },
  { builder: 'Docz', names: scripts('doczrc') },
  { builder: 'React Styleguidist', names: scripts('styleguide.config') },
  { builder: 'Logseq', names: ['config.edn'], below: /(?:^|\/)logseq$/ },
  { builder: 'docs-builder', names: ['_docset.yml', 'docset.yml'], text: /^(?:project|toc):/m },
  { builder: 'Fern', names: ['docs.yml'], text: /^(?:navigation|instances):/m },
  { builder: 'VuePress', names: scripts('config'), text: /vuepress/i, below: /(?:^|\/)\.vuepress$/ },
  { builder: 'Vocs', names: scripts('vocs.config') },
  { builder: 'Zudoku', names: [...scripts('zudoku.config'), 'zudoku.config.tsx'] },
  { builder: 'Pagic', names: ['pagic.config.ts', 'pagic.config.tsx'] },
  { builder: 'Assemble', names: ['.assemblerc.yml', '.assemblerc.yaml', ...scripts('assemblefile')] },
  { builder: 'Valaxy', names: scripts('valaxy.config') },
  { builder: 'Cobalt', names: ['_cobalt.yml'] },
  { builder: 'Zine', names: ['zine.ziggy'] },
  { builder: 'Hakyll', names: ['site.hs'], text: /\bHakyll\b/ },
  { builder: 'Soupault', names: ['soupault.toml', 'soupault.conf'] },
  { builder: 'Scribble', names: ['info.rkt'], text: /\bscribblings\b/, isBelowTop: true },
  { builder: 'Lume', names: ['_config.ts', '_config.js'], text: /\blume\b/ },
  { builder: 'DocFX', names: ['docfx.json'] },
  { builder: 'ExDoc', names: ['mix.exs'], text: /:ex_doc\b/ },
  { builder: 'Hugging Face’s doc-builder', names: ['_toctree.yml'], text: /^[ \t]*(?:- )?local:/m },
  { builder: 'Maven', names: ['site.xml'], text: /<(?:project|site)\b/, below: /\/site$/ },
  { builder: 'Docsify', names: ['_sidebar.md'], text: /\]\(/ },
  { builder: 'Docsify', names: ['index.html'], text: /\$docsify\b/, own: /^(?:docs)?$/ },
  { builder: 'Rspress', names: scripts('rspress.config') },
  { builder: 'Observable Framework', names: scripts('observablehq.config') },
  { builder: 'Gatsby', names: scripts('gatsby-config') },
  { builder: 'Nuxt', names: scripts('nuxt.config') },
  { builder: 'SvelteKit', names: scripts('svelte.config') },
  { builder: 'Astro', names: scripts('astro.config') },
  { builder: 'Next.js', names: scripts('next.config') },
  {
    builder: 'HonKit',
    names: ['book.json'],
    text: /"(?:gitbook|root|structure|plugins|pluginsConfig|title)"\s*:/,
  },
];

/** Projects of one space beyond this number are ignored. */
const MAX_PROJECTS = 200;

/** Finds the projects of unknown builders in a space: at most one for each folder, inner ones first. */
export function findForeignProjects(space: SpaceInput): readonly ForeignProject[] {
  const found = new Map<RepoPath, ForeignProject>();
  let withPages: ReadonlySet<RepoPath> | undefined;
  for (const { names, text, below, isBelowTop, isBesidePages, own: ownFolder, ...kind } of MARKERS) {
    const { builder, beside } = kind;
    for (const marker of names.flatMap((name) => space.index.named(name))) {
      if (found.size >= MAX_PROJECTS) continue;
      const own = folderOf(marker);
      if (ownFolder?.test(own) === false) continue;
      const folder = below?.test(own) === true ? own.replace(below, '') : own;
      // A folder or file for settings, such as `.vuepress`, is no part of the space; its project is.
      const isDot = folder !== own || pathInside(marker, own).startsWith('.');
      if (!space.has(marker) && !(isDot && holds(space, folder))) continue;
      if (found.has(folder) || !isInside(marker, space.directory)) continue;
      if (isBelowTop === true && folder === space.directory) continue;
      if (isBesidePages === true) {
        withPages ??= new Set(
          space.entries.flatMap(({ path }) => (isPageFile(path) ? [folderOf(path)] : [])),
        );
        if (!withPages.has(folder)) continue;
      }
      if (text !== undefined && !text.test(space.text(marker) ?? '')) continue;
      if (builder === 'HonKit' && isLeftBehind(space, folder, found.size > 0)) continue;
      const makesPages = kind.makesPages ?? (builder === 'Hotdoc' && isContentsMade(space, folder));
      const aliases = builder === 'Docsify' ? docsifyAliases(space, folder) : [];
      const { otherModules, sharedContents } =
        builder === 'Writerside' ? readWriterside(space, marker) : { otherModules: [], sharedContents: null };
      const redirects = builder === 'Mintlify' ? mintlifyRedirects(space.text(marker) ?? '') : null;
      found.set(folder, {
        builder,
        marker,
        folder,
        makesPages,
        ...(aliases.length > 0 ? { aliases } : {}),
        ...(redirects === null ? {} : { redirects }),
        ...(otherModules.length > 0 ? { otherModules } : {}),
        ...(sharedContents === null ? {} : { sharedContents }),
      });
      const neighbour = beside === undefined || folder === '' ? null : joinPath(folderOf(folder), beside);
      if (neighbour !== null && !found.has(neighbour) && isInside(neighbour, space.directory))
        found.set(neighbour, { builder, marker, folder: neighbour, makesPages });
      const inputs = builder === 'Doxygen' ? doxygenInputs(space, marker) : [];
      for (const input of inputs)
        if (!found.has(input)) found.set(input, { builder, marker, folder: input, makesPages });
      const mounts = MOUNTS[builder];
      if (mounts === undefined) continue;
      for (const mounted of mountsOf(space.text(marker) ?? '', folder, mounts))
        if (!found.has(mounted)) found.set(mounted, { builder, marker, folder: mounted, makesPages });
    }
  }
  for (const { path } of space.entries) {
    if (found.size >= MAX_PROJECTS || !/\.(?:doxyfile|doxygen)$/i.test(path) || found.has(folderOf(path)))
      continue;
    const project = { builder: 'Doxygen', marker: path, makesPages: false };
    const inputs = mountsOf(space.text(path) ?? '', folderOf(path), MOUNTS.Doxygen ?? /$/g);
    for (const folder of [folderOf(path), ...inputs])
      if (!found.has(folder)) found.set(folder, { ...project, folder });
  }
  // A catalog of DocC, which finds pictures by their names.
  for (const { path } of space.entries) {
    const [folder] = /^(?:.*\/)?[^/]+\.docc(?=\/)/.exec(path) ?? [];
    if (folder === undefined || found.size >= MAX_PROJECTS || found.has(folder)) continue;
    found.set(folder, { builder: 'DocC', marker: path, folder, makesPages: false });
  }
  // Paradox takes pages from a folder of that name, and parts of them from those beside it.
  for (const { path } of space.entries) {
    const [, folder] = /^((?:.*\/)?src\/main)\/paradox\/.*\.md$/.exec(path) ?? [];
    if (folder === undefined || found.size >= MAX_PROJECTS || found.has(folder)) continue;
    found.set(folder, { builder: 'Paradox', marker: path, folder, makesPages: false });
  }
  // Only ExDoc reads such files, whose settings may be in a script of any name.
  for (const { path } of space.entries) {
    if (found.size >= MAX_PROJECTS || !path.endsWith('.cheatmd')) continue;
    const folder = folderOf(folderOf(path));
    if (folder !== '' && isInside(folder, space.directory) && !found.has(folder))
      found.set(folder, { builder: 'ExDoc', marker: path, folder, makesPages: false });
  }
  const add = (project: ForeignProject) => {
    if (found.size < MAX_PROJECTS && !found.has(project.folder)) found.set(project.folder, project);
  };
  const configured = [...found.values()];
  const around = (folder: RepoPath) =>
    configured.filter((project) => folder === project.folder || isInside(folder, project.folder));
  const isWithin = (builder: string, folder: RepoPath) =>
    configured.some((project) => project.builder === builder && isInside(project.folder, folder));
  for (const { builder, folder, source, aliases } of findShapedFolders(space)) {
    // In a project of another builder, a folder with such pages is one of its own.
    const alike = around(folder).some(
      (project) => project.builder === builder || (builder === 'Hugo' && project.builder === 'Zola'),
    );
    if (!alike && !isWithin(builder, folder))
      add({
        builder,
        folder,
        marker: source,
        makesPages: false,
        ...(aliases === undefined ? {} : { aliases }),
      });
  }
  // A configuration says more than a command, which may be for what is around it.
  for (const { builder, folder, source } of findCommandedFolders(space)) {
    if (around(folder).length === 0 && !isWithin(builder, folder))
      add({ builder, folder, marker: source, makesPages: false, isCommanded: true });
  }
  return [...found.values()].sort((a, b) => b.folder.length - a.folder.length);
}

/**
 * Whether the settings of a book are left from before: another builder publishes the repository now, nothing installs
 * HonKit, and no table of contents is beside them.
 */
function isLeftBehind({ index, siblings, text }: SpaceInput, folder: RepoPath, hasOthers: boolean): boolean {
  if (!hasOthers && siblings.length === 0) return false;
  const settings = text(joinPath(folder, 'book.json')) ?? '';
  const root = /"root"\s*:\s*"(?:\.\/)?([\w./-]{1,200}?)\/?"/.exec(settings)?.[1];
  const roots = root === undefined ? [folder] : [folder, joinPath(folder, root)];
  if (/"summary"\s*:/.test(settings)) return false;
  if (roots.some((path) => index.entry(joinPath(path, 'SUMMARY.md')) !== undefined)) return false;
  const packages = [...new Set([joinPath(folder, 'package.json'), 'package.json'])];
  return !packages.some((path) =>
    /"(?:honkit|gitbook(?:-cli)?)"|\b(?:honkit|gitbook) /.test(text(path) ?? ''),
  );
}

/** Whether a build passes Hotdoc a list of pages of its own making: `sitemap: made[0]` rather than `sitemap: 'sitemap.txt'`. */
function isContentsMade({ text }: SpaceInput, folder: RepoPath): boolean {
  const build = text(joinPath(folder, 'meson.build')) ?? '';
  return /\.generate_doc\s*\(/.test(build) && /\bsitemap\s*:\s*[a-z_]/.test(build);
}

/** The folders that Doxygen reads where it is started at the repository's top. */
function doxygenInputs({ index, text, directory }: SpaceInput, marker: RepoPath): readonly RepoPath[] {
  const [, inputs = ''] =
    /^[ \t]*INPUT[ \t]*\+?=((?:[^\n]{0,500}\\\r?\n){0,100}[^\n]{0,500})/m.exec(text(marker) ?? '') ?? [];
  return inputs
    .split(/[\s\\"]+/)
    .map((input) => input.replace(/^\.\/|\/+$/g, ''))
    .filter((input) => input !== '' && isInside(input, directory) && index.isFolder(input));
}

/** The last names of the patterns of `alias: { '/.*\/changelog': 'https://…' }` in the page that starts Docsify. */
function docsifyAliases(space: SpaceInput, folder: RepoPath): readonly string[] {
  const [, table = ''] =
    /\balias\s*:\s*\{([^{}]{1,10000})\}/.exec(space.text(joinPath(folder, 'index.html')) ?? '') ?? [];
  return [...table.matchAll(/['"]([^'"\n]{1,200})['"]\s*:/g)].flatMap(
    ([, pattern = '']) => /([\w-]+)(?:\\?\.md)?\$?$/.exec(pattern)?.[1] ?? [],
  );
}

/** Folders from which Docsify reads the links of every page: those of its projects, and the space around them. */
export function docsifyRoots(projects: readonly ForeignProject[], space: SpaceInput): readonly RepoPath[] {
  const folders = projects.flatMap(({ builder, folder }) => {
    if (builder !== 'Docsify') return [];
    const page = space.text(joinPath(folder, 'index.html')) ?? '';
    return /\brelativePath\s*:\s*true\b/.test(page) ? [] : [folder];
  });
  return folders.length === 0 ? [] : [...new Set([...folders, space.directory])];
}

/** Whether a folder is inside a space and not in one of the others. */
function holds({ directory, siblings }: SpaceInput, folder: RepoPath): boolean {
  if (isLeftOut(folder)) return false;
  return !siblings.some(
    (sibling) => isInside(sibling, directory) && (folder === sibling || isInside(folder, sibling)),
  );
}

/**
 * How the configuration of a builder names folders beside its project that it shows as its own: `source` of Hugo's
 * `module.mounts`, `path` of Gatsby's sources, whose package may make the texts from its others, and the inputs of Doxygen.
 */
const MOUNTS: Readonly<Record<string, RegExp>> = {
  Hugo: /\bsource["']?\s*[=:]\s*["']?(\.\.\/[^"'\s,]{1,300})/g,
  Doxygen: /(?:^|[\s="])(\.\.\/[\w./-]{1,200})/g,
  Gatsby:
    /\bpath\s*:\s*(?:`\$\{__dirname\}\/|path\.(?:join|resolve)\(\s*__dirname\s*,\s*["'`])(\.\.\/[\w.-]{1,100})/g,
};

function mountsOf(text: string, folder: RepoPath, mounts: RegExp): readonly RepoPath[] {
  const sources = text.matchAll(mounts);
  return [...sources].flatMap(([, source = '']) => {
    const mounted = resolvePath(folder === '' ? 'x' : `${folder}/x`, source.replace(/\/+$/, ''));
    return mounted.inside && mounted.path !== '' ? [mounted.path] : [];
  });
}

/** Builders whose Markdown is that of MyST. */
export const READS_MYST: ReadonlySet<string> = new Set(['Sphinx', 'Jupyter Book', 'MyST']);

/** Builders that run templates in pages. */
export const RUNS_TEMPLATES: ReadonlySet<string> = new Set(['Eleventy', 'Jekyll']);

/** Whether a file is a template of new pages, with examples to replace, and no page itself. */
export function isArchetype(projects: readonly ForeignProject[], path: RepoPath): boolean {
  return projects.some(
    ({ builder, folder }) => builder === 'Hugo' && isInside(path, joinPath(folder, 'archetypes')),
  );
}

/** Builders whose first page is the README beside their configuration. */
const README_IS_HOME: ReadonlySet<string> = new Set(['VuePress', 'Docsify', 'HonKit', 'Yii']);

/** Files above a project of Sphinx that its pages usually include, so that they are written for it. */
const INCLUDED_FILE = /^(?:CHANGELOG|CHANGES|HISTORY)\.\w+$/i;

/** Returns the project to which a page belongs; undefined for pages as the host shows them. */
export function projectOf(projects: readonly ForeignProject[], path: RepoPath): ForeignProject | undefined {
  return projects.find(({ builder, folder }) => {
    // At the top of a project, people read them on the repository's host.
    if (isInside(path, folder)) {
      // The settings of MkDocs are made beside its pages, of which the changelog is one; Docusaurus 1 has a folder of pages.
      const isAtTop = folderOf(path) === folder && builder !== 'MkDocs' && builder !== 'Docusaurus 1';
      if (!isAtTop || !isHostFile(path)) return true;
      // In a folder of their own, `support.md` and the like are pages of the project; the host’s are written in capitals.
      if (folder !== '' && /\/[a-z._-]+$/.test(path) && !isReadme(path)) return true;
      return isReadme(path) && README_IS_HOME.has(builder);
    }
    const above = folderOf(folder);
    if (builder !== 'Sphinx' || folder === '' || !isInside(path, above)) return false;
    return INCLUDED_FILE.test(pathInside(path, above));
  });
}

/** The project whose build takes texts from anywhere in the repository, such as a Markdown file beside the code. */
export function includerOf(projects: readonly ForeignProject[], path: RepoPath): ForeignProject | undefined {
  return isHostFile(path) ? undefined : projects.find(({ makesPages }) => makesPages);
}

/** Identifies what builds the projects, as far as the repository shows it. */
export function identifyBuilders(projects: readonly ForeignProject[], index: TreeIndex): string {
  return projects
    .map(({ builder, folder, marker, isCommanded, redirects, otherModules, sharedContents }) => {
      const read = redirects ?? otherModules ?? sharedContents;
      if (read !== undefined) return JSON.stringify([builder, folder, read]);
      return isCommanded === true ? `${builder} ${folder}` : index.entry(marker)?.oid;
    })
    .join(' ');
}

/** One notice for each builder. */
export function explainForeign(projects: readonly ForeignProject[]): readonly FileProblem[] {
  const byBuilder = Map.groupBy(projects, ({ builder }) => builder);
  return [...byBuilder].map(([builder, own]) => {
    const folders = own.map(({ folder }) => folder || 'the repository').sort();
    const where = folders.length === 1 ? folders[0] : `${folders.length} folders, such as ${folders[0]}`;
    return {
      file: own.at(-1)?.marker ?? '',
      line: null,
      rule: 'unknown-builder',
      message: `${builder} builds ${where}, and its rules for links are not known here: only relative links to files are checked there, and links from the root, without an extension or to headings are not.`,
    };
  });
}
