import { type FilesRead, generatedVerdict, type LinkRules, linkVerdict } from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { folderOf, isHostFile, isPageFile, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/** As many names that lead nowhere from several folders show that something of the project makes what they name. */
const MIN_NAMES = 3;

/** The name of a Markdown file in the page's own folder; null for other destinations. */
function bareName({ target }: Reference): string | null {
  return /^([\w.-]{1,200}\.md)(?:#|$)/.exec(target)?.[1] ?? null;
}

/**
 * Rules of MyST, which looks a destination up as the name of a label where no file has it. A program may write the labels of
 * its pages: then pages of several folders link to one name, as if it were a file beside each of them.
 */
export function withMystNames(rules: LinkRules, files: FilesRead): LinkRules {
  const namesAreLabels = () =>
    files.remember('names of MyST', () => {
      const missing = files.table<string>('names of MyST', function* ({ path }) {
        if (!isPageFile(path)) return;
        for (const reference of files.facts(path)?.references ?? []) {
          const name = bareName(reference);
          if (name !== null && files.file(joinPath(folderOf(path), name)) === null) yield ['', name];
        }
      });
      const folders = new Map<string, Set<string>>();
      for (const { file, value } of missing.rows('')) {
        const known = folders.get(value) ?? new Set();
        folders.set(value, known.add(folderOf(file)));
      }
      return [...folders.values()].filter(({ size }) => size > 1).length >= MIN_NAMES;
    });
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      const name = own === null ? bareName(reference) : null;
      if (name === null || !namesAreLabels()) return own;
      return generatedVerdict(
        `There is no file ${name} here, and names like it, to which pages of several folders link, may be labels.`,
      );
    },
  };
}

/** Rules under which what is missing is unchecked where the configuration leads the name elsewhere. */
export function withAliases(rules: LinkRules, aliases: readonly string[]): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null) return own;
      const [, name = ''] =
        /([^/]+?)(?:\.md)?(?:[?#]|$)/.exec(resolution.candidates[0].split('/').at(-1) ?? '') ?? [];
      return aliases.includes(name)
        ? generatedVerdict(`An alias of the site leads ${name} elsewhere.`)
        : null;
    },
  };
}

/** What is known of pages of other repositories that stand beside a project's own. */
interface PartsElsewhere {
  readonly otherModules?: readonly string[];
  readonly sharedContents?: RepoPath;
}

/** Rules of Writerside, whose pages name others, of whichever module, by their files' names alone. */
export function withOtherModules(
  rules: LinkRules,
  { otherModules, sharedContents }: PartsElsewhere,
): LinkRules {
  const [module] = otherModules ?? [];
  const reason =
    module === undefined
      ? `${sharedContents} is a part of the contents of other projects, whose pages it may name.`
      : `the build adds pages of other repositories, such as those of the module “${module}”.`;
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      const name = own === null ? bareName(reference) : null;
      if (name === null) return own;
      return generatedVerdict(`There is no ${name}, and ${reason}`);
    },
  };
}

/** Rules of files beside a project of DocFX, which may take them into its site: paths from its root, and its tabs. */
export function withDocfxTargets(rules: LinkRules): LinkRules {
  return {
    ...rules,
    resolve(file, reference) {
      return /^(?:~\/|#tab\/)/.test(reference.target)
        ? linkVerdict('unchecked', `DocFX reads ${reference.target} in a way of its own.`)
        : rules.resolve(file, reference);
    },
  };
}

/**
 * Rules of files beside a project of Docsify, which may take them into its site: it reads paths from the root of the site,
 * whichever page they stand on, unless its settings say otherwise. The root is a folder of `roots` or around it.
 */
export function withDocsifyRoots(
  rules: LinkRules,
  roots: readonly RepoPath[],
  index: Pick<TreeIndex, 'entry'>,
): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || isHostFile(file) || /^\s*\.{0,2}\//.test(reference.target)) return own;
      for (const root of roots) {
        const fromRoot = rules.resolve(joinPath(root, 'README.md'), reference);
        if (fromRoot.kind !== 'path') continue;
        const [path] = fromRoot.candidates;
        if (index.entry(path) !== undefined)
          return generatedVerdict(`Docsify reads links from the root of its site, and ${path} may be there.`);
      }
      return null;
    },
  };
}
