import Type, { type Static } from 'typebox';
import { Formed, Id } from '../scalars.ts';

const closed = { additionalProperties: false };
const segment = '(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2}){1,200}';

export const RedirectSource = Formed(
  `^(?:/${segment}){1,40}(?:/\\*)?$`,
  'must be a path of the site such as /old/page, or /old/* for everything below /old',
  { maxLength: 512 },
);

export const RedirectDestination = Type.Union([
  Type.Object({ kind: Type.Literal('site-section'), siteSectionId: Id }, closed),
  Type.Object({ kind: Type.Literal('site-space'), siteSpaceId: Id }, closed),
  Type.Object({ kind: Type.Literal('site-page'), siteSpaceId: Id, pageId: Id }, closed),
]);
export type RedirectDestination = Static<typeof RedirectDestination>;

export const SiteRedirect = Type.Object(
  {
    object: Type.Literal('site-redirect'),
    id: Id,
    source: Type.String(),
    destination: RedirectDestination,
  },
  { $id: 'SiteRedirect' },
);
export type SiteRedirect = Static<typeof SiteRedirect>;
