import { type OutsideAddress, readAddress } from '../../content/links/index.ts';
import { type ExternalLinkWarning, LINK_REPORT_LIMIT } from '../../content/report/index.ts';
import { type Db, type ExternalLink, loadCheckedExternalLinks } from '../../store/index.ts';
import type { NamedSpace } from './sort-into-parts.ts';

/** A link to another site that the base did not have. */
export type AddedAddress = OutsideAddress & Omit<ExternalLinkWarning, 'message'>;

/**
 * The links to other sites that a change adds: those of touched files whose address no touched file of the base had. A link
 * that only moved to another file does not count.
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
    .filter((address) => !known.has(keyOf(address)))
    .slice(0, LINK_REPORT_LIMIT);
}

/** The known problems of these addresses. Nothing is requested now: a check does not wait for other hosts. */
export async function describeAddedAddresses(
  db: Db,
  added: readonly AddedAddress[],
): Promise<readonly ExternalLinkWarning[]> {
  const known = await loadCheckedExternalLinks(db, [...new Set(added.map(({ url }) => url))]);
  return added.flatMap(({ url, fragment, ...location }) => {
    const link = known.get(url);
    const message = link === undefined ? null : describeAddress(link, fragment);
    return message === null ? [] : [{ ...location, message }];
  });
}

function describeAddress({ state, detail, since, fragments }: ExternalLink, fragment: string): string | null {
  const day = since.toISOString().slice(0, 10);
  if (state === 'dead') return `Dead since ${day}: ${detail ?? 'it does not answer.'}`;
  if (state === 'failing') return `Failing since ${day}: ${detail ?? 'it does not answer.'}`;
  if (fragment !== '' && fragments[fragment] === false) return `The page is there, and has no #${fragment}.`;
  return state === 'redirected' ? detail : null;
}
