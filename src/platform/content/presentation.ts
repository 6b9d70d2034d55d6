import type { Content } from './locate-content.ts';

/** What every presenter of content needs. */
export interface Presentation extends Content {
  readonly publicUrl: string;
  /** Whether git's metadata is presented. */
  readonly metadata: boolean;
  /** Whether computed pages are presented. */
  readonly computed: boolean;
  /** The version of what computed pages are made from. */
  readonly madeFrom: string;
}
