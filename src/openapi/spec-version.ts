import { isObject } from './pointer.ts';

/** `2.0` is Swagger, the other versions are OpenAPI. */
export type SpecVersion = '2.0' | '3.0' | '3.1' | '3.2';

const SUPPORTED_VERSIONS = 'Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are supported';

/** The version that a document declares, or the reason why it cannot be read. */
export function readVersion(
  document: unknown,
): { readonly version: SpecVersion } | { readonly problem: string; readonly parts: readonly string[] } {
  if (!isObject(document)) {
    return {
      problem: 'This is not an API description: it is not an object with the field openapi.',
      parts: [],
    };
  }
  const { openapi, swagger } = document;
  if (openapi === undefined && swagger === undefined) {
    const problem = `This is not an API description: it has neither the field openapi nor swagger; ${SUPPORTED_VERSIONS}.`;
    return { problem, parts: [] };
  }
  // YAML reads a version without quotes as a number.
  const declared = String(openapi ?? swagger);
  const version = /^(\d+\.\d+)(?:\.\d+)?(?:-[\w.]+)?$/.exec(
    /^\d$/.test(declared) ? `${declared}.0` : declared,
  )?.[1];
  const known: readonly string[] = openapi === undefined ? ['2.0'] : ['3.0', '3.1', '3.2'];
  if (version !== undefined && known.includes(version)) return { version: version as SpecVersion };
  const field = openapi === undefined ? 'swagger' : 'openapi';
  return {
    problem: `The version ${JSON.stringify(declared).slice(0, 40)} is not supported; ${SUPPORTED_VERSIONS}.`,
    parts: [field],
  };
}
