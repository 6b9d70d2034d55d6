import type { SiteCustomization } from '../../platform/index.ts';

/** A look as its form has it; what is wrong with it is said beside the fields. */
export interface EnteredLook {
  readonly look: SiteCustomization;
  /** The links at the top, a line for each; null where they have what lines cannot say. */
  readonly links: string | null;
  /** The groups at the bottom, a paragraph of lines for each; null where they have what lines cannot say. */
  readonly groups: string | null;
  /** The address that the announcement leads to; null where that is something else, such as a page. */
  readonly messageLink: string | null;
}

/** The fields that can be refused. */
export type LookField =
  | 'title'
  | 'light'
  | 'dark'
  | 'logoDark'
  | 'logo'
  | 'icon'
  | 'links'
  | 'messageLink'
  | 'message'
  | 'groups'
  | 'copyright'
  | 'socialPicture';

/** A sentence for each field that cannot be used; under null what is about none of them. */
export type LookProblems = ReadonlyMap<LookField | null, string>;
