/** An operation as readers see it: references followed, schemas as tables. Plain data, so that it can be kept and sent. */

export interface OperationView {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly title: string;
  /** Markdown, as written. */
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly tags: readonly string[];
  /** Addresses that it can be reached at. */
  readonly servers: readonly string[];
  /** The ways to prove who one is, each a sentence’s part: `bearer (http bearer)`; empty where nothing is asked for. */
  readonly security: readonly string[];
  readonly parameters: readonly ParameterView[];
  readonly body: BodyView | null;
  readonly responses: readonly ResponseView[];
}

export interface ParameterView extends FieldView {
  /** `query`, `header`, `path` or `cookie`. */
  readonly in: string;
}

export interface BodyView {
  readonly description: string;
  readonly isRequired: boolean;
  readonly contents: readonly ContentView[];
}

export interface ResponseView {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly FieldView[];
  readonly contents: readonly ContentView[];
}

export interface ContentView {
  readonly mediaType: string;
  /** What the whole of it is: `array of Pet`. */
  readonly type: string;
  /** Its properties, those of inner objects behind their own, by depth. */
  readonly fields: readonly FieldView[];
  /** Properties that were left out, because there are too many or they nest too deep. */
  readonly isCut: boolean;
}

export interface FieldView {
  readonly name: string;
  /** Counted from 0. */
  readonly depth: number;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  /** What it must be besides: `at most 10 characters`, `default 5`. */
  readonly notes: readonly string[];
}
