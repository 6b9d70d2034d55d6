import { type FilesRead, generatedVerdict, type LinkRules, type LinkVerdict } from '../format-port/index.ts';
import { anchorNames, hasAnchor } from '../links/index.ts';
import type { Reference, RepoPath } from '../model/index.ts';
import { isPageFile, resolvePath, type TreeIndex } from '../tree/index.ts';

/** Pages that include one text beyond this number are not asked. */
const MAX_PAGES = 50;

/**
 * Rules under which the text that comments and marks of other pages include (`<!-- include: part.md -->`, `{!part.md!}`) is
 * shown there, too: its links start at those pages, which have its headings.
 */
export function withCommentIncludes(rules: LinkRules, files: FilesRead, index: TreeIndex): LinkRules {
  const partsOf = (page: RepoPath) =>
    (files.facts(page)?.includedTexts ?? []).flatMap((written) => {
      const paths = [resolvePath(page, written), resolvePath('x', written)];
      const found = paths.find((path) => path.inside && files.file(path.path) !== null);
      return found?.inside === true && found.path !== page ? [found.path] : [];
    });
  const including = files.table<null>('texts in comments', function* ({ path }) {
    if (isPageFile(path)) for (const part of new Set(partsOf(path))) yield [part, null];
  });
  const pagesWith = (part: RepoPath) =>
    including
      .rows(part)
      .slice(0, MAX_PAGES)
      .map(({ file }) => file);
  const explain = (file: RepoPath, reference: Reference): LinkVerdict | null => {
    for (const page of pagesWith(file)) {
      const resolution = rules.resolve(page, reference);
      if (resolution.kind === 'verdict') continue;
      const target = resolution.candidates.find((path) => files.file(path) !== null || index.isFolder(path));
      if (target !== undefined)
        return generatedVerdict(
          `${page} includes the text of ${file}, and from there the link leads to ${target}.`,
        );
    }
    return null;
  };
  return {
    ...rules,
    resolve(file, reference) {
      const resolution = rules.resolve(file, reference);
      if (resolution.kind !== 'verdict' || resolution.rule !== 'outside-repository') return resolution;
      return explain(file, reference) ?? resolution;
    },
    explainMissing: (resolution, file, reference) =>
      rules.explainMissing?.(resolution, file, reference) ?? explain(file, reference),
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      if (checked.status !== 'broken') return checked;
      const others = [...partsOf(query.page), ...(query.page === query.file ? pagesWith(query.page) : [])];
      const other = others.find((path) => {
        const facts = files.facts(path);
        return facts !== undefined && hasAnchor(facts, query.anchor);
      });
      if (other === undefined) return checked;
      const message = `${query.page} is shown together with ${other}, which has “${query.anchor}”.`;
      return { status: 'unchecked', message, knownNames: anchorNames(query.facts) };
    },
  };
}
