import { generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { TreeIndex } from '../../tree/index.ts';

/** What pages' names end with where one text is written for several languages of programs. */
const VARIANTS =
  'js ts javascript typescript python py java csharp dotnet go rust ruby php kotlin swift cpp js-python java-python csharp-java csharp-java-python'.split(
    ' ',
  );

/** Returns the page of the same name for one language of programs; null when there is none. */
function variantOf(path: RepoPath, index: TreeIndex): RepoPath | null {
  const [, stem, ending] = /^(.+)\.(mdx?|markdown)$/i.exec(path) ?? [];
  if (stem === undefined) return null;
  const pages = VARIANTS.map((variant) => `${stem}-${variant}.${ending}`);
  return pages.find((page) => index.entry(page) !== undefined) ?? null;
}

/** Rules under which a missing page is unchecked that the repository holds once for each language of programs. */
export function withLanguageVariants(rules: LinkRules, index: TreeIndex): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      for (const path of resolution.candidates) {
        const variant = variantOf(path, index);
        if (variant === null) continue;
        return generatedVerdict(
          `There is no ${path}, but ${variant}: what publishes the pages may choose one for each language.`,
        );
      }
      return rules.explainMissing?.(resolution, file, reference) ?? null;
    },
  };
}
