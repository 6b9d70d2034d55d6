import type { Content } from './locate-content.ts';

/** What every presenter of content needs to know. */
export interface Presentation extends Content {
  readonly publicUrl: string;
  /** Whether what git says is presented. */
  readonly metadata: boolean;
  /** Whether pages that the platform makes are presented. */
  readonly computed: boolean;
  /** The state of what computed pages are made from. */
  readonly madeFrom: string;
}
