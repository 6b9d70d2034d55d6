import { readingOfMarkdown } from '../../facts/index.ts';
import type { FilesRead, Format, SpaceInput } from '../../format-port/index.ts';
import { schemeOf } from '../../links/index.ts';
import type { RepoPath, TreeEntry } from '../../model/index.ts';
import { folderOf, isInside, isPageFile, isSourceOfSpace, withoutInstalled } from '../../tree/index.ts';
import { withHostAnchors } from '../host-anchors.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { redirectSettings } from '../redirect-rules.ts';
import { copiedRules, hookThatCopies } from './copied-by-hooks.ts';
import { siteAround, withSiteAround } from './included-sites.ts';
import {
  CONFIG_NAMES,
  configIn,
  foldersBeside,
  furtherConfigs,
  ownSites,
  readLanguageConfig,
} from './language-projects.ts';
import { anchorsOfPages } from './mkdocs-anchors.ts';
import { type MkdocsConfig, readMkdocsConfig } from './mkdocs-config.ts';
import { mkdocsConfigReading } from './mkdocs-config-links.ts';
import { mkdocsConfigRules } from './mkdocs-config-rules.ts';
import { mkdocsPages } from './mkdocs-pages.ts';
import { mkdocsReading, SHOWN_CODE } from './mkdocs-reading.ts';
import { mkdocsRules } from './mkdocs-rules.ts';
import { isMkdocsPage, publishSite, siteAddressOf } from './published-site.ts';
import { SitePaths } from './site-paths.ts';
import { isSnippet, snippetRules } from './snippet-rules.ts';
import { withTranslatedPages } from './translated-pages.ts';

/** MkDocs sites, with or without Material's theme: `mkdocs.yml` and a folder of Markdown. */
export const mkdocsFormat: Format = {
  detect: (repository) =>
    withoutInstalled(CONFIG_NAMES.flatMap((name) => repository.index.named(name))).flatMap((file) => {
      // The site is that of the configuration to which the link leads.
      if (repository.index.entry(file)?.mode === 'symlink') return [];
      const config = readMkdocsConfig(file, repository);
      const { title } = config;
      const languages = foldersBeside(config, repository).map((directory) => ({
        directory,
        title: title === null ? null : `${title} (${directory.slice(directory.lastIndexOf('/') + 1)})`,
      }));
      return [{ directory: folderOf(file), title }, ...languages];
    }),
  open(space) {
    // Sites of tests and examples inside the space are not part of its navigation, and have configurations of their own.
    const configs = readConfigs(space);
    const [own] = configs;
    const around = new Map(configs.map((config) => [config, siteAround(config, space)]));
    const ownerOf = (path: RepoPath) =>
      isMkdocsPage(path) && isInside(path, space.directory)
        ? configs.findLast(({ docsFolder }) => docsFolder !== null && isInside(path, docsFolder))
        : undefined;
    const settings = new Map<RepoPath, MkdocsConfig>();
    for (const config of configs) {
      for (const file of [config.navFile, config.pluginsFile])
        if (file !== null && !settings.has(file)) settings.set(file, config);
    }
    const isRead = ({ path, mode }: TreeEntry) =>
      mode !== 'symlink' && (ownerOf(path) !== undefined || settings.has(path));
    return {
      sources: space.entries.filter((entry) => isSourceOfSpace(entry) || isRead(entry)),
      readingOf(path) {
        if (settings.has(path)) return mkdocsConfigReading;
        const owner = ownerOf(path);
        if (owner !== undefined) return mkdocsReading(owner.headings);
        // Included texts may have any name; `.txt` is common.
        if (own?.headings.snippets === true && /\.txt$/i.test(path)) return mkdocsReading(own.headings);
        return isPageFile(path) ? readingOfMarkdown(path) : null;
      },
      problems: configs.flatMap((config) => config.problems),
      generator: (index) => configs.map((config) => config.generator(index)).join('\n'),
      settings: () =>
        redirectSettings(
          [...(own?.redirects ?? [])].map(([from, to]) => ({
            from: plainPage(from),
            to: schemeOf(to) === null ? plainPage(to) : to,
          })),
        ),
      // Pages and the files that they include are read only when a link to them is checked.
      shapedBy: () => null,
      publish(files) {
        const sites = new Map(
          configs.map((config) => [
            config,
            publishConfigured(space, config, { files, around: around.get(config) ?? null }),
          ]),
        );
        const site = own === undefined ? undefined : sites.get(own)?.site;
        const host = withTranslatedPages(leftOutRules(space), own?.docsFolder ?? null, space.index);
        const unpublished = withHostAnchors(host, (path) => ownerOf(path) !== undefined);
        const snippets = snippetRules(unpublished);
        return {
          get pages() {
            return own === undefined || site === undefined ? [] : mkdocsPages(space, own, site, files);
          },
          get assets() {
            return space.entries
              .filter(
                ({ path }) => site !== undefined && site.addressOf(path) !== null && !isMkdocsPage(path),
              )
              .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
          },
          rulesOf(file) {
            const config = settings.get(file);
            if (config !== undefined) return sites.get(config)?.configRules ?? unpublished;
            const owner = ownerOf(file);
            const published = owner === undefined ? undefined : sites.get(owner);
            if (published !== undefined && published.site.addressOf(file) !== null) return published.rules;
            if (configs.some((candidate) => isSnippet(file, candidate))) return snippets;
            const hook = own === undefined ? null : hookThatCopies(file, own);
            return hook === null ? unpublished : copiedRules(unpublished, hook, space.index);
          },
          changesSince: () => [],
          // When configurations inherit from each other, only one has the navigation that is used.
          skips: (file, { kind, carrier }) =>
            kind === 'config' &&
            file !== (carrier === 'nav' ? settings.get(file)?.navFile : settings.get(file)?.pluginsFile),
        };
      },
    };
  },
};

/** Configurations beyond this number inside one space are ignored. */
const MAX_SITES = 50;

/** The space's own configuration, those in folders below, and further ones that build sites from other pages. */
function readConfigs(space: SpaceInput): readonly MkdocsConfig[] {
  const files = configFiles(space);
  const configs = files.map((file) => readLanguageConfig(file, space));
  const further = furtherConfigs(files, space).slice(0, MAX_SITES - files.length);
  const sites = ownSites(
    further.map((file) => readMkdocsConfig(file, space)),
    configs,
    space.index,
  );
  return [...configs, ...sites];
}

/** The space's own configuration and those in folders below, outer ones first. */
function configFiles({ directory, index, has }: SpaceInput): readonly RepoPath[] {
  const own = configIn(directory, index) ?? (directory === '' ? 'mkdocs.yml' : `${directory}/mkdocs.yml`);
  const inner = CONFIG_NAMES.flatMap((name) => index.named(name)).filter(
    (path) => has(path) && folderOf(path) !== directory && index.entry(path)?.mode !== 'symlink',
  );
  return [own, ...inner.toSorted((a, b) => a.length - b.length)].slice(0, MAX_SITES);
}

/** The address of a page that the plugin for redirects names by its file, with or without an anchor. */
function plainPage(written: string): string {
  const [file = '', anchor] = written.split('#', 2);
  const address = isMkdocsPage(file) ? siteAddressOf(file, true).replace(/(?:^|\/)index\.html$/, '') : file;
  return `/${address}${anchor === undefined ? '' : `#${anchor}`}`;
}

function publishConfigured(
  space: SpaceInput,
  config: MkdocsConfig,
  { files, around }: { readonly files: FilesRead; readonly around: RepoPath | null },
) {
  const site = publishSite(files, config);
  const paths = new SitePaths(config, site, space.index, (file, { line }) =>
    (files.facts(file)?.regions ?? []).some(
      (part) => part.name === SHOWN_CODE && line >= part.line && line <= part.endLine,
    ),
  );
  const rules = mkdocsRules(paths, anchorsOfPages(config, files), space.repository);
  return {
    site,
    rules: withSiteAround(rules, around, config),
    configRules: withSiteAround(mkdocsConfigRules(paths, rules), around, config),
  };
}
