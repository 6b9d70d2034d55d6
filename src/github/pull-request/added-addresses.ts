import { type OutsideAddress, readAddress } from '../../content/links/index.ts';
import { type ExternalLinkWarning, REPORT_LIMIT } from '../../content/report/index.ts';
import { type Db, type ExternalLink, loadCheckedExternalLinks } from '../../store/index.ts';
import type { NamedSpace } from './sort-into-parts.ts';

/** A link to an address outside that the base did not have. */
export type AddedAddress = OutsideAddress & Omit<ExternalLinkWarning, 'message'>;

/**
 * The links outside that a change adds: those of touched files whose address no touched file of the base had. One that
 * only moved to another file is no news.
 */
export function findAddedAddresses(
  { before, after }: { readonly before: readonly NamedSpace[]; readonly after: readonly NamedSpace[] },
  touched: (file: string) => boolean,
): readonly AddedAddress[] {
  const addresses = (parts: readonly NamedSpace[]): AddedAddress[] =>
    parts.flatMap(({ space, analysis }) =>
      analysis.links.flatMap(({ file, line, target, status }) => {
        const address = status === 'unchecked' && touched(file) ? readAddress(target) : null;
        return address === null ? [] : [{ ...address, space: space.title, file, line, target }];
      }),
    );
  const keyOf = ({ url, fragment }: OutsideAddress) => `${url}#${fragment}`;
  const known = new Set(addresses(before).map(keyOf));
  return addresses(after)
    .filter((one) => !known.has(keyOf(one)))
    .slice(0, REPORT_LIMIT);
}

/** What the last looks say of these, where it is nothing good. Nobody is asked now: a check waits for no other host. */
export async function describeAddedAddresses(
  db: Db,
  added: readonly AddedAddress[],
): Promise<readonly ExternalLinkWarning[]> {
  const known = await loadCheckedExternalLinks(db, [...new Set(added.map(({ url }) => url))]);
  return added.flatMap(({ url, fragment, ...place }) => {
    const link = known.get(url);
    const message = link === undefined ? null : tellAddress(link, fragment);
    return message === null ? [] : [{ ...place, message }];
  });
}

function tellAddress({ state, detail, since, fragments }: ExternalLink, fragment: string): string | null {
  const day = since.toISOString().slice(0, 10);
  if (state === 'dead') return `Dead since ${day}: ${detail ?? 'it does not answer.'}`;
  if (state === 'failing') return `Failing since ${day}: ${detail ?? 'it does not answer.'}`;
  if (fragment !== '' && fragments[fragment] === false) return `The page is there, and has no #${fragment}.`;
  return state === 'redirected' ? detail : null;
}
