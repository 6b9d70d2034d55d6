const DOCS = 'https://docs.github.com/rest';

/** An entry of `errors` in GitHub's responses with status 422. */
export interface ValidationProblem {
  readonly resource: string;
  readonly field?: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'custom';
  readonly message?: string;
}

/** An error response in GitHub's shape. */
export class ForgeApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly ValidationProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    details: { errors?: readonly ValidationProblem[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }

  get body(): object {
    return {
      message: this.message,
      ...(this.errors && { errors: this.errors }),
      documentation_url: DOCS,
      status: String(this.status),
    };
  }
}

export const notFoundError = (): ForgeApiError => new ForgeApiError(404, 'Not Found');
export const badCredentials = (): ForgeApiError => new ForgeApiError(401, 'Bad credentials');
export const notAccessible = (): ForgeApiError =>
  new ForgeApiError(403, 'Resource not accessible by integration');

/** 422 for a value that the resource does not accept. */
export function invalidError(
  resource: string,
  field: string,
  message: string,
  code: ValidationProblem['code'] = 'invalid',
): ForgeApiError {
  return new ForgeApiError(422, 'Validation Failed', { errors: [{ resource, field, code, message }] });
}
