import { type FilesRead, generatedVerdict, type LinkRules } from '../../format-port/index.ts';
import { isPageFile } from '../../tree/index.ts';
import { formerAddressesIn } from '../front-matter-redirects.ts';
import { isMdx } from './foreign-rules.ts';
import { addressesLike } from './redirected-pages.ts';

/**
 * Rules under which a page that is not there is unchecked where another one names an address like it in its front matter, as
 * one that it had before (`aliases` of Hugo, `redirect_from` of Jekyll).
 */
export function withFormerAddresses(rules: LinkRules, files: FilesRead): LinkRules {
  const pageAt = (address: string) =>
    files
      .table<null>('pages by former address', function* ({ path }) {
        if (!isPageFile(path) && !isMdx(path)) return;
        for (const former of formerAddressesIn(files.facts(path))) yield [former, null];
      })
      .rows(address)[0]?.file;
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      const [path] = resolution.candidates;
      if (own !== null || !(isPageFile(path) || isMdx(path))) return own;
      const page = addressesLike(path)
        .map((address) => pageAt(address.slice(1)))
        .find(Boolean);
      return page === undefined
        ? null
        : generatedVerdict(`There is no ${path}, and ${page} had an address like it before.`);
    },
  };
}
