/** What clients tell the errors of status 400 and 409 apart by (RFC 7644, 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An answer with a status of 400 or above. The message is one sentence for the administrator of the identity provider. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, message: string) {
    super(message);
    this.status = status;
    this.scimType = scimType;
  }

  toBody(): object {
    return {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(this.status),
      ...(this.scimType === null ? {} : { scimType: this.scimType }),
      detail: this.message,
    };
  }
}

/** For a value that the request must not have; `field` as its sender writes it. */
export function invalidValue(field: string, message: string): ScimError {
  return new ScimError(400, 'invalidValue', `${field} ${message}.`);
}
