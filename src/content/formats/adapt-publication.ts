import type { Publication } from '../format-port/index.ts';

const adaptedFrom = new WeakMap<Publication, Publication>();

/**
 * A publication with other rules, or with references that it skips, too. Pages and assets are still computed on access, and
 * what changed since an earlier publication is known if that was adapted alike.
 */
export function adaptPublication(
  publication: Publication,
  changes: Pick<Publication, 'rulesOf'> & Partial<Pick<Publication, 'skips'>>,
): Publication {
  const adapted: Publication = {
    get pages() {
      return publication.pages;
    },
    get assets() {
      return publication.assets;
    },
    rulesOf: changes.rulesOf,
    skips: (file, reference) =>
      changes.skips?.(file, reference) === true || publication.skips?.(file, reference) === true,
    changesSince(previous) {
      const before = adaptedFrom.get(previous);
      return before === undefined ? null : (publication.changesSince?.(before) ?? null);
    },
  };
  adaptedFrom.set(adapted, publication);
  return adapted;
}
