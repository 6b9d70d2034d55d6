/** An operation as readers see it: references resolved, schemas as tables. Plain data, so that it can be stored and sent. */

export interface OperationView {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly title: string;
  /** Markdown, as written. */
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly tags: readonly string[];
  /** The addresses of its servers. */
  readonly servers: readonly string[];
  /** The alternatives of authorization, each as a phrase: `bearer (http bearer)`; empty when none is required. */
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
  /** The type of the whole content: `array of Pet`. */
  readonly type: string;
  /** Its properties; those of an inner object follow it with a greater depth. */
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
  /** Its constraints and its default: `at most 10 characters`, `default 5`. */
  readonly notes: readonly string[];
}
