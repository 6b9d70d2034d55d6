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
  /** The same servers in full; absent in what older releases stored, like the other fields that may be absent. */
  readonly serverChoices?: readonly ServerView[];
  /** The alternatives of authorization, each as a phrase: `bearer (http bearer)`; empty when none is required. */
  readonly security: readonly string[];
  /** The alternatives of authorization, each with all that it takes; an empty one takes nothing. */
  readonly access?: readonly (readonly CredentialView[])[];
  readonly parameters: readonly ParameterView[];
  readonly body: BodyView | null;
  readonly responses: readonly ResponseView[];
  /** Whether the API sends this request to its clients; `path` is its name then. */
  readonly isWebhook?: boolean;
  /** Requests that the API sends after this one. */
  readonly callbacks?: readonly CallbackView[];
}

export interface ServerView {
  /** With its variables in braces. */
  readonly url: string;
  readonly description: string;
  readonly variables: readonly ServerVariableView[];
}

export interface ServerVariableView {
  readonly name: string;
  readonly initial: string;
  /** Empty where any value is allowed. */
  readonly values: readonly string[];
  readonly description: string;
}

/** A security scheme as an operation needs it. */
export interface CredentialView {
  readonly name: string;
  /** `apiKey`, `http`, `oauth2`, `openIdConnect`, `mutualTLS`, or `basic` of Swagger 2.0; empty when unknown. */
  readonly type: string;
  /** Of `http`, in lower case: `bearer`. */
  readonly scheme: string;
  /** Of an API key: where it is, and its name there. */
  readonly in: string;
  readonly field: string;
  readonly description: string;
  readonly scopes: readonly string[];
  /** Where tokens are from. */
  readonly addresses: readonly { readonly label: string; readonly url: string }[];
}

/** A request that the API sends. */
export interface CallbackView {
  readonly name: string;
  readonly method: string;
  /** An expression that says where the address is. */
  readonly path: string;
  readonly description: string;
  readonly body: BodyView | null;
  readonly responses: readonly ResponseView[];
}

export interface ParameterView extends FieldView {
  /** `query`, `header`, `path` or `cookie`. */
  readonly in: string;
  /** How lists and objects are written: `form true`, as style and explode; absent for a simple value. */
  readonly style?: string;
  /** The allowed values, as text; absent where there are others. */
  readonly values?: readonly string[];
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
  /** Those of the author; text, or JSON. */
  readonly examples?: readonly { readonly name: string; readonly value: string }[];
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
  /** What the field is where it is not a property: one of several forms that a value may have, which are below it. */
  readonly role?: 'alternative';
}
