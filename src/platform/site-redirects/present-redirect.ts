import type { RedirectDestination, SiteRedirect } from '../../contract/index.ts';
import type { SiteRedirectRow } from '../../store/index.ts';

export function presentRedirect(row: SiteRedirectRow): SiteRedirect {
  return {
    object: 'site-redirect',
    id: row.id,
    source: row.source,
    destination: row.destination as RedirectDestination,
  };
}
