import { isObject } from './pointer.ts';

/** `2.0` is Swagger’s, the others OpenAPI’s. */
export type SpecVersion = '2.0' | '3.0' | '3.1' | '3.2';

const LATEST = 'Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are read';

/** The version that a document says it is written in, or why it cannot be read. */
export function readVersion(
  document: unknown,
): { readonly version: SpecVersion } | { readonly problem: string; readonly parts: readonly string[] } {
  if (!isObject(document)) {
    return {
      problem: 'This is no description of an API: it is no object with the field openapi.',
      parts: [],
    };
  }
  const { openapi, swagger } = document;
  if (openapi === undefined && swagger === undefined) {
    const problem = `This is no description of an API: it has neither the field openapi nor swagger; ${LATEST}.`;
    return { problem, parts: [] };
  }
  // YAML reads a version without quotes as a number.
  const said = String(openapi ?? swagger);
  const version = /^(\d+\.\d+)(?:\.\d+)?(?:-[\w.]+)?$/.exec(/^\d$/.test(said) ? `${said}.0` : said)?.[1];
  const known: readonly string[] = openapi === undefined ? ['2.0'] : ['3.0', '3.1', '3.2'];
  if (version !== undefined && known.includes(version)) return { version: version as SpecVersion };
  const field = openapi === undefined ? 'swagger' : 'openapi';
  return {
    problem: `The version ${JSON.stringify(said).slice(0, 40)} is not known; ${LATEST}.`,
    parts: [field],
  };
}
