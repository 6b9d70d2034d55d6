import type { Content } from './locate-content.ts';

/** The input of every presenter of content. */
export interface Presentation extends Content {
  readonly publicUrl: string;
  /** Whether git's metadata is presented. */
  readonly metadata: boolean;
  /** Whether computed pages are presented. */
  readonly computed: boolean;
  /** The version of what computed pages are generated from. */
  readonly madeFrom: string;
}
