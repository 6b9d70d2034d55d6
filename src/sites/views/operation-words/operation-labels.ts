import type { OperationWords } from '../../../content/render/index.ts';

/** What surrounds operations of APIs, in one language: in the page, and what its script says. `{…}` stands for a value. */
export interface OperationLabels extends OperationWords, OperationScriptWords {}

/** What the script of operations says besides. */
export interface OperationScriptWords {
  readonly tryIt: string;
  readonly send: string;
  readonly sending: string;
  readonly optional: string;
  readonly bodyIn: string;
  readonly userOf: string;
  readonly passwordOf: string;
  readonly took: string;
  readonly cut: string;
  readonly onlyTo: string;
  /** Why the browser shows nothing of what was answered, if anything was. */
  readonly noAnswer: string;
  readonly late: string;
  readonly bytes: string;
}
