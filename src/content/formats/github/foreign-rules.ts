import {
  generatedVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
} from '../../format-port/index.ts';
import { anchorNames, hasAnchor, schemeOf } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { folderOf, isPageFile, type TreeIndex } from '../../tree/index.ts';
import { explainComponent } from './component-links.ts';
import { READS_MYST } from './foreign-builders.ts';
import { explainCodeName, explainTemplate, explainTextOfProgram } from './github-rules.ts';
import type { RedirectedPages } from './redirected-pages.ts';

/**
 * The rules of pages that a builder publishes whose rules are not known: relative links to files are checked as on GitHub;
 * other links may be addresses or names that only the builder knows.
 */
export function foreignRules(
  host: LinkRules,
  { builder, makesPages }: { readonly builder: string; readonly makesPages: boolean },
  index: TreeIndex,
  redirected: RedirectedPages,
): LinkRules {
  const isPage = (path: RepoPath) => isPageFile(path) || isMdx(path);
  return {
    ...host,
    isPage,
    resolve: (file, reference) => resolve(host, builder, file, reference),
    anchorsOfFolder: () => false,
    explainMissing: (resolution, file, reference) =>
      host.explainMissing?.(resolution, file, reference) ??
      explainComponent(reference) ??
      explainCodeName(reference) ??
      explainTemplate(file, reference.target) ??
      explainTextOfProgram(file, resolution.candidates[0]) ??
      (makesPages && schemeOf(reference.target.trim()) === null
        ? madeByBuild(builder, resolution.candidates[0])
        : null) ??
      explainRedirected(redirected, resolution.candidates[0]) ??
      explainOtherLanguage(builder, index, file, resolution.candidates[0]) ??
      explainMissing(builder, index, resolution.candidates[0], reference),
    checkAnchor({ anchor, facts, page }) {
      if (hasAnchor(facts, anchor)) return { status: 'ok' };
      const message = `${builder} may name a heading of ${page} “${anchor}”.`;
      return { status: 'unchecked', message, knownNames: anchorNames(facts) };
    },
  };
}

function explainRedirected(redirected: RedirectedPages, path: RepoPath): LinkVerdict | null {
  const file = isPageFile(path) || isMdx(path) ? redirected.redirectOf(path) : null;
  return file === null
    ? null
    : generatedVerdict(`There is no ${path}, and ${file} redirects an address like it.`);
}

/** Ends of the names of templates, from which builders make a file of the name before it. */
const TEMPLATES = [
  '.erb',
  '.haml',
  '.slim',
  '.liquid',
  '.njk',
  '.ejs',
  '.hbs',
  '.pug',
  '.j2',
  '.jinja',
  '.tmpl',
];

const VERSION = /^v?\d+(?:\.(?:\d+|x)){1,3}(?:-[\w.]+)?$/;

/** The folder of a version in a path, where the repository has no such folder. */
function missingVersion(path: RepoPath, index: TreeIndex): RepoPath | null {
  const names = path.split('/');
  const at = names.findIndex((name) => VERSION.test(name));
  if (at === -1 || at === names.length - 1) return null;
  const folder = names.slice(0, at + 1).join('/');
  return index.isFolder(folder) ? null : folder;
}

/** What builders make for programs: lists for language models, pages as Markdown, maps of the site. */
const MADE_FILE =
  /(?:^|\/)(?:llms(?:-full)?\.txt|sitemap\.xml|robots\.txt|objects\.inv|[^/]+\.html\.md|[^/]+\.epub)$/;

/**
 * A name of what is documented, which Sphinx finds wherever it is described: `django.db.models.Model`, or `napari.layers`,
 * of which the second part is too long to be the extension of a file.
 */
const OBJECT_NAME =
  /^[A-Za-z_]\w*(?:(?:\.[A-Za-z_]\w*){2,}|\.(?!markdown$|geojson$|parquet$|webmanifest$)[A-Za-z_]\w{5,})$/;

export function isMdx(path: RepoPath): boolean {
  return /\.mdx$/i.test(path);
}

function resolve(host: LinkRules, builder: string, file: RepoPath, reference: Reference): LinkResolution {
  const written = reference.target.trim();
  if (/\{\{|\{%|\{[A-Za-z_]|<[A-Za-z][\w .-]{0,100}>/.test(written)) {
    return linkVerdict('unchecked', `${builder} makes the destination when the site is built.`);
  }
  if (builder === 'DocFX' && written.startsWith('~/')) {
    return linkVerdict(
      'unchecked',
      `${builder} reads ~ as the root of what it builds, which may be several repositories.`,
    );
  }
  // As paths of Windows are written.
  const target = builder === 'DocFX' ? reference.target.replaceAll('\\', '/') : reference.target;
  const resolution = host.resolve(file, { ...reference, target });
  if (schemeOf(written) === null && written.startsWith('/') && !written.startsWith('//')) {
    const message = `Where links from the root lead is decided by ${builder}, whose rules are not known.`;
    return resolution.kind === 'verdict' && resolution.status === 'ok'
      ? resolution
      : linkVerdict('unchecked', message);
  }
  if (resolution.kind === 'path' || resolution.status !== 'broken') return resolution;
  if (resolution.rule === 'empty-target') return resolution;
  return linkVerdict('unchecked', `${builder} may publish something at this address.`);
}

/** A page named after its language links to another one without it: from `a.en.md` to `b.md`, where there is `b.en.md`. */
function explainOtherLanguage(
  builder: string,
  index: TreeIndex,
  file: RepoPath,
  path: RepoPath,
): LinkVerdict | null {
  const [, language] = /(\.[a-z]{2}(?:-[A-Za-z]{2,4})?)\.mdx?$/.exec(file) ?? [];
  if (language === undefined) return null;
  const page = path.replace(/\.mdx?$/, (ending) => `${language}${ending}`);
  return page === path || index.entry(page) === undefined
    ? null
    : generatedVerdict(`There is no ${path}, and ${builder} may publish ${page} at its address.`);
}

function madeByBuild(builder: string, path: RepoPath): LinkVerdict {
  return generatedVerdict(
    `A build makes the settings of ${builder} from a template, and may make ${path} too.`,
  );
}

/** A page's address has other levels than its file, so a file of the same name elsewhere may be the one that is shown. */
function explainMissing(
  builder: string,
  index: TreeIndex,
  path: RepoPath,
  { target }: Reference,
): LinkVerdict | null {
  const written = target.replace(/[?#][\s\S]*$/, '');
  if (!/[^/.]\.(?!html?$)(?!\d+$)[a-z0-9]{1,10}$/i.test(written))
    return generatedVerdict(`${builder} decides where links without a file’s extension lead.`);
  if (MADE_FILE.test(written)) return generatedVerdict(`${builder} may make ${written}.`);
  if (READS_MYST.has(builder) && OBJECT_NAME.test(written))
    return generatedVerdict(`${builder} may describe ${written} on some page.`);
  const source = `${path}x`;
  if (builder === 'Mintlify' && /\.md$/.test(path) && index.entry(source) !== undefined)
    return generatedVerdict(`${builder} publishes the text of ${source} at this address, too.`);
  const page = [`${path}.md`, `${path}.mdx`].find((candidate) => index.entry(candidate) !== undefined);
  if (page !== undefined) return generatedVerdict(`${builder} may publish ${page} at this address.`);
  const ofFolder = ['README.md', 'index.md', '_index.md'].map((name) =>
    path.replace(/(?:\.md)?$/i, `/${name}`),
  );
  const made = ofFolder.find((candidate) => index.entry(candidate) !== undefined);
  if (made !== undefined) return generatedVerdict(`${builder} may publish ${made} at this address, too.`);
  // For screens of more pixels: the builder scales it down where there is no other.
  const larger = ['@2x', '@3x'].map((scale) => path.replace(/(?=\.(?:png|jpe?g|gif|webp)$)/i, scale));
  const scaled = larger.find((candidate) => candidate !== path && index.entry(candidate) !== undefined);
  if (scaled !== undefined)
    return generatedVerdict(`There is no ${path}, and ${builder} may make it of ${scaled}.`);
  const template = TEMPLATES.find((ending) => index.entry(path + ending) !== undefined);
  if (template !== undefined) return generatedVerdict(`${builder} may make ${path} of ${path}${template}.`);
  const loader = builder === 'Observable Framework' ? dataLoaderOf(path, index) : null;
  if (loader !== null) return generatedVerdict(`${builder} runs ${loader}, which makes ${path}.`);
  const version = missingVersion(path, index);
  if (version !== null)
    return generatedVerdict(
      `There is no ${version}, and ${builder} may publish other versions from elsewhere.`,
    );
  const command = builder === 'docs-builder' ? path.replace(/(?=[^/]+$)/, 'cmd-') : path;
  if (command !== path && index.entry(command) !== undefined)
    return generatedVerdict(`${builder} may publish ${command} without “cmd-” in its address.`);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^index\.\w+$/.test(name)) return generatedVerdict(`${builder} may make one ${name} for each page.`);
  // The name of a page may have a dot, as those of components: `exporter.unix` for `exporter.unix.md`.
  const isElsewhere = [name, name.toLowerCase(), `${name}.md`, `${name}.mdx`].some(
    (candidate) => index.named(candidate).length > 0,
  );
  if (isElsewhere || index.alike(path).length > 0)
    return generatedVerdict(`There is no ${path}, and ${builder} may find ${name} elsewhere.`);
  const readme = readmeCalled(name, index);
  return readme === null ? null : generatedVerdict(`${builder} may publish ${readme} as ${name}.`);
}

/** Languages of programs whose output is a file of the site (https://observablehq.com/framework/data-loaders). */
const LOADERS = ['js', 'ts', 'jsx', 'tsx', 'py', 'R', 'rs', 'go', 'java', 'jl', 'php', 'sh', 'exe'];

/** The program that makes a file, or an archive with it: `chart.png.py`, `photos.zip` or `photos.zip.ts` for `photos/1.jpeg`. */
function dataLoaderOf(path: RepoPath, index: TreeIndex): RepoPath | null {
  const folder = folderOf(path);
  const archives = folder === '' ? [] : ['.zip', '.tar', '.tar.gz', '.tgz'].map((ending) => folder + ending);
  const made = [path, ...archives];
  const loaders = made.flatMap((file) => LOADERS.map((ending) => `${file}.${ending}`));
  return [...archives, ...loaders].find((candidate) => index.entry(candidate) !== undefined) ?? null;
}

/** Folders by their last name → their README; by the list of the tree's READMEs, which is asked for again for each link. */
const readmes = new WeakMap<readonly RepoPath[], ReadonlyMap<string, RepoPath>>();

/** The README of a folder that has the name of a page: `cmd/cli/README.md` for `cli.md`. */
function readmeCalled(name: string, index: TreeIndex): RepoPath | null {
  const [, stem] = /^([\w-]+)\.mdx?$/.exec(name) ?? [];
  if (stem === undefined) return null;
  const all = index.named('README.md');
  const known = readmes.get(all) ?? new Map(all.map((path) => [path.split('/').at(-2) ?? '', path] as const));
  readmes.set(all, known);
  return known.get(stem) ?? null;
}
