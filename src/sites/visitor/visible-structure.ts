import {
  type ArrangedStructure,
  type ConditionScope,
  composeLook,
  hideConditional,
  isTrueFor,
} from '../../platform/index.ts';
import { locationsOf } from '../locate-path.ts';
import type { ServedSite } from '../served-sites.ts';

/** What depends on a visitor: the outcomes of all conditions of a site. */
interface Outcomes {
  /** By which finished answers are shared: visitors for whom the same is true get the same. */
  readonly key: string;
  readonly structure: ArrangedStructure;
}

/** Selections that are kept of one version of a site; conditions that differ in more ways are evaluated each time. */
const MAX_SELECTIONS = 100;

const conditionsOf = new WeakMap<ServedSite['structure'], readonly string[]>();
const selections = new WeakMap<ServedSite['structure'], Map<string, Outcomes>>();

/** What a visitor sees of a site: what a condition hides is not there. */
export function outcomesFor(served: ServedSite, claims: ConditionScope): Outcomes {
  const { structure } = served;
  const conditions = conditionsOf.get(structure) ?? listConditions(served);
  conditionsOf.set(structure, conditions);
  const key = conditions.map((condition) => (isTrueFor(condition, claims) ? '1' : '0')).join('');
  const known = selections.get(structure) ?? new Map<string, Outcomes>();
  selections.set(structure, known);
  const found = known.get(key) ?? {
    key,
    structure: hideConditional(structure, (condition) => isTrueFor(condition, claims)),
  };
  if (known.size < MAX_SELECTIONS) known.set(key, found);
  return found;
}

/** The conditions of sections, of spaces, and of links at the top of pages. */
function listConditions({ site, structure }: ServedSite): readonly string[] {
  const locations = locationsOf(structure);
  const looks = [site, ...locations.map(({ siteSpace }) => siteSpace.row)].map(({ customization }) =>
    composeLook(customization),
  );
  return [
    ...new Set(
      [
        ...structure.sections.map(({ row }) => row.condition),
        ...locations.map(({ siteSpace }) => siteSpace.row.condition),
        ...looks.flatMap(({ header }) => header.links.map(({ condition }) => condition)),
      ].filter((condition) => condition !== null && condition !== undefined),
    ),
  ];
}
