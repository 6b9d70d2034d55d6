import { generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isHostFile, isInside } from '../../tree/index.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';

/** Whether a file is in a folder of texts that pages include, which holds none of the pages. */
export function isSnippet(file: RepoPath, { snippetFolders, docsFolder }: MkdocsConfig): boolean {
  if (isHostFile(file)) return false;
  return (snippetFolders ?? []).some(
    (folder) =>
      folder !== '' && isInside(file, folder) && !(docsFolder !== null && isInside(docsFolder, folder)),
  );
}

/** The rules of a file that pages include: its relative links start at those pages. */
export function snippetRules(rules: LinkRules): LinkRules {
  const startsElsewhere = (file: RepoPath) =>
    generatedVerdict(`Pages include ${file}, and its relative links start at them.`);
  return {
    ...rules,
    resolve(file, reference) {
      const resolved = rules.resolve(file, reference);
      const isOutside = resolved.kind === 'verdict' && resolved.rule === 'outside-repository';
      return isOutside && reference.kind !== 'block' ? startsElsewhere(file) : resolved;
    },
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || reference.kind === 'block' || reference.target.startsWith('/')) return own;
      return startsElsewhere(file);
    },
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      if (checked.status !== 'broken' || query.page !== query.file) return checked;
      const message = `Pages include ${query.file}, and “${query.anchor}” may be a heading of them.`;
      return { status: 'unchecked', message, knownNames: checked.names };
    },
  };
}
