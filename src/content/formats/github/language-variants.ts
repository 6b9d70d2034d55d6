import { generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import { anchorNames } from '../../links/index.ts';
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

/** The language at the end of a page's name, as in `setup.es.md`. */
const LANGUAGE = /\.([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)\.(?:md|markdown)$/;

/** Returns the page of the same name in the language of another page; null when there is none. */
function translationOf(
  page: RepoPath,
  { of, index }: { readonly of: RepoPath; readonly index: TreeIndex },
): RepoPath | null {
  const [, language] = LANGUAGE.exec(of) ?? [];
  if (language === undefined || LANGUAGE.test(page)) return null;
  const translation = page.replace(/\.(md|markdown)$/i, `.${language}.$1`);
  return index.entry(translation) === undefined ? null : translation;
}

/**
 * Rules under which a missing page is unchecked that the repository holds once for each language of programs, and a missing
 * heading of a page that it holds in the language of the page with the link, too.
 */
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
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      const translation =
        checked.status === 'broken' ? translationOf(query.page, { of: query.file, index }) : null;
      if (translation === null) return checked;
      const message = `What publishes the pages may show ${translation} in the place of ${query.page}.`;
      return { status: 'unchecked', message, knownNames: anchorNames(query.facts) };
    },
  };
}
