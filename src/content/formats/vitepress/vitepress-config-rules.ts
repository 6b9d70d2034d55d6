import {
  type LinkResolution,
  type LinkRules,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { Reference } from '../../model/index.ts';
import { sidebarBase } from './vitepress-config-links.ts';
import type { VitepressPages } from './vitepress-context.ts';
import { vitepressRules } from './vitepress-rules.ts';

/** The rules of links in the configuration, which the theme resolves from the root of the site. */
export function vitepressConfigRules(known: VitepressPages): LinkRules {
  const rules = vitepressRules(known);
  const { sidebarBases } = known.site;
  return {
    ...rules,
    resolve(file, reference) {
      const base = sidebarBase(reference.carrier);
      if (base === null || base === '' || !isOwnPath(reference)) return rules.resolve(file, reference);
      if (base !== '?') return resolveBelow(base, reference, (item) => rules.resolve(file, item));
      const all = ['', ...(sidebarBases ?? [])].map((item) =>
        resolveBelow(item, reference, (item) => rules.resolve(file, item)),
      );
      const [first = all[0]] = all;
      const paths = all.flatMap((item) => (item.kind === 'path' ? item.candidates : []));
      const [candidate, ...rest] = paths;
      if (first === undefined || first.kind !== 'path' || candidate === undefined)
        return rules.resolve(file, reference);
      return { ...first, candidates: [candidate, ...rest], write: () => null };
    },
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || sidebarBase(reference.carrier) !== '?' || sidebarBases !== null) return own;
      return linkVerdict('unchecked', 'Only running the configuration tells what this link is appended to.');
    },
  };
}

function isOwnPath({ target }: Reference): boolean {
  return !/^(?:[a-z]+:|\/\/|#)/i.test(target);
}

/** Resolves a link as the theme does: appended to the base of its group, with one slash between them. */
function resolveBelow(
  base: string,
  reference: Reference,
  resolve: (reference: Reference) => LinkResolution,
): LinkResolution {
  const belowBase = (link: string) =>
    base + link.replace(/^\//, base === '' || base.endsWith('/') ? '' : '/');
  const found = resolve({ ...reference, target: belowBase(reference.target) });
  if (found.kind !== 'path' || base === '') return found;
  const isRooted = reference.target.startsWith('/');
  const withoutBase = (link: string | null) => {
    const start = base.endsWith('/') ? base : `${base}/`;
    if (link === null || !`/${link.replace(/^\//, '')}`.startsWith(`/${start.replace(/^\//, '')}`))
      return null;
    const rest = `/${link.replace(/^\//, '')}`.slice(start.replace(/^\//, '').length + 1);
    return isRooted ? `/${rest}` : rest;
  };
  const resolution: PathResolution = {
    ...found,
    write: (path, options) => withoutBase(found.write(path, options)),
    writeAnchor: (name) => reference.target.replace(/(?:#.*)?$/, `#${name}`),
  };
  return resolution;
}
