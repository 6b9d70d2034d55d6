import { type ConditionScope, composeLook, isTrueFor, type SiteCustomization } from '../platform/index.ts';
import type { VariantLocation } from './locate-path.ts';
import { policySource } from './policy-source.ts';
import type { ServedSite } from './served-sites.ts';
import type { HeaderLink, SiteFrame, SiteLook } from './views/site-page.ts';

type Customization = SiteCustomization;
type ContentRef = NonNullable<Customization['header']['links'][number]['to']>;

/** What a look is chosen for. */
interface LookInput {
  readonly served: ServedSite;
  readonly location: VariantLocation;
}

/** What a site and its space chose of the look, over the defaults. */
export function chosenLook({ served, location }: LookInput): Customization {
  return composeLook(served.site.customization, location.siteSpace.row.customization);
}

/** What the stylesheet and the script need of the look. */
export function lookOf({ styling, themes, pagination, externalLinks }: Customization): SiteLook {
  return {
    primaryColor: styling.primaryColor,
    theme: themes.system ? 'system' : themes.default,
    canToggleTheme: themes.toggeable,
    corners: styling.corners,
    font: familyOf(styling.font),
    monospaceFont: familyOf(styling.monospaceFont),
    hasPagination: pagination.enabled,
    externalLinksInNewTab: externalLinks.target === 'blank',
  };
}

/** Of a font with files of its own only the family is used, where the reader's system has it: no page loads fonts. */
function familyOf(font: Customization['styling']['font' | 'monospaceFont']): string {
  return typeof font === 'string' ? font : font.fontFamily;
}

/** The parts of the frame that are chosen: links, logo, announcement. */
export function chosenFrame(
  look: Customization,
  hrefOf: (ref: ContentRef) => string | null,
  claims: ConditionScope,
): Pick<SiteFrame, 'logo' | 'favicon' | 'headerLinks' | 'footer' | 'announcement'> {
  const toLink = ({ title, to }: { readonly title: string; readonly to: ContentRef }): HeaderLink[] => {
    const href = hrefOf(to);
    return href === null ? [] : [{ title, href, style: 'link', links: [] }];
  };
  const { header, footer, favicon, announcement } = look;
  const logo = header.showLogo === false ? undefined : header.logo;
  return {
    logo: logo === undefined ? null : { light: logo.light, dark: logo.dark ?? null },
    favicon: 'icon' in favicon ? favicon.icon.light : null,
    headerLinks: header.links
      .filter(({ condition }) => isTrueFor(condition ?? null, claims))
      .flatMap(({ title, style = 'link', to, links }) => {
        const href = to === null ? null : hrefOf(to);
        const below = links.flatMap(toLink);
        return href === null && below.length === 0 ? [] : [{ title, href, style, links: below }];
      }),
    footer: {
      groups: footer.groups.map(({ title, links }) => ({ title, links: links.flatMap(toLink) })),
      copyright: footer.copyright ?? null,
    },
    announcement:
      announcement?.enabled === true
        ? {
            message: announcement.message,
            href: announcement.link === undefined ? null : hrefOf(announcement.link.to),
            style: announcement.style,
          }
        : null,
  };
}

/** The origins of the pictures that were chosen, which browsers may load besides the site's own. */
export function pictureOrigins({ logo, favicon }: Pick<SiteFrame, 'logo' | 'favicon'>): readonly string[] {
  const addresses = [logo?.light, logo?.dark, favicon].flatMap((address) => address ?? []);
  return [...new Set(addresses.flatMap((address) => sourceOf(address) ?? []))];
}

function sourceOf(address: string): string | null {
  const url = URL.parse(address);
  return url === null ? null : policySource(url);
}
