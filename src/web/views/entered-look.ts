import type { SiteCustomization } from '../../platform/index.ts';

/** A look as its form has it; what is wrong with it is said beside the fields. */
export interface EnteredLook {
  readonly look: SiteCustomization;
  /** The links at the top, a line for each; null where they have what lines cannot say. */
  readonly links: string | null;
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
  | 'message'
  | 'copyright'
  | 'socialPicture';

/** A sentence for each field that cannot be used; under null what is about none of them. */
export type LookProblems = ReadonlyMap<LookField | null, string>;
