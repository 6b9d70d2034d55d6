import type { PublishingAuth } from '../../contract/index.ts';
import type { SiteRow } from '../../store/index.ts';

export function presentPublishingAuth(site: SiteRow, privateKey: string): PublishingAuth {
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey,
    ...(site.fallbackUrl === null ? {} : { fallbackURL: site.fallbackUrl }),
  };
}
