import type { Content, SpecsVersions } from './locate-content.ts';

/** The input of every presenter of content. */
export interface Presentation extends Content, SpecsVersions {
  readonly publicUrl: string;
  /** Whether git's metadata is presented. */
  readonly metadata: boolean;
  /** Whether computed pages are presented. */
  readonly computed: boolean;
}
