import type { BodyOf, Operations } from '../../contract/index.ts';
import type { ArrangedSiteSpace, ArrangedStructure } from '../sites/arrange-structure.ts';

type Scope = BodyOf<Operations['streamAskSite']>['scope'];

/** The site spaces that a scope means; null when it names one that the site does not have. */
export function chooseSiteSpaces(
  { sections, siteSpaces }: ArrangedStructure,
  scope: Scope,
  context: string | undefined,
): readonly ArrangedSiteSpace[] | null {
  const groups = sections.length > 0 ? sections.map((section) => section.siteSpaces) : [siteSpaces];
  const all = groups.flat();
  if (scope.mode === 'all') return all;
  const named =
    scope.mode === 'specific'
      ? scope.siteSpaceIds
      : [scope.currentSiteSpace ?? context].filter((id) => id !== undefined);
  const found = all.filter(({ row }) => named.includes(row.id));
  if (new Set(named).size !== found.length) return null;
  if (scope.mode === 'specific') return found;
  return groups.flatMap((group) => {
    const here = group.filter((one) => found.includes(one));
    return here.length > 0 ? here : group.filter(({ isDefault }) => isDefault);
  });
}
