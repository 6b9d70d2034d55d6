import { isObject, type JsonObject } from './pointer.ts';
import type { Kind } from './shapes.ts';

/** A problem of one object itself, not of its children. */
export interface NodeProblem {
  readonly message: string;
  /** The invalid field; absent when the object as a whole is invalid. */
  readonly key?: string;
}

type Check = (node: JsonObject) => readonly NodeProblem[];

const problem = (message: string, key?: string): NodeProblem =>
  key === undefined ? { message } : { message, key };

/** Reports only what would be shown to readers differently from what the authors meant. */
const CHECKS: Partial<Readonly<Record<Kind, Check>>> = {
  document(node) {
    const version = String(node['openapi'] ?? node['swagger']);
    const sections = /^3\.[12]/.test(version) ? ['paths', 'webhooks', 'components'] : ['paths'];
    if (sections.some((name) => node[name] !== undefined)) return pathNames(node['paths']);
    return [problem(`The description has no ${sections.join(', no ')}. Add what the API can do.`)];
  },
  parameter(node) {
    if (node['$ref'] !== undefined) return [];
    const problems: NodeProblem[] = [];
    if (typeof node['name'] !== 'string')
      problems.push(problem('The parameter has no name. Add the field "name".'));
    const locations = ['query', 'header', 'path', 'cookie', 'body', 'formData', 'querystring'];
    if (!locations.includes(node['in'] as string)) {
      const found =
        node['in'] === undefined
          ? 'the field is missing'
          : `it is ${JSON.stringify(node['in'])?.slice(0, 40)}`;
      problems.push(
        problem(
          `The field "in" of a parameter must be one of ${locations.join(', ')}, and ${found}.`,
          node['in'] === undefined ? undefined : 'in',
        ),
      );
    }
    return problems;
  },
  schema(node) {
    const { type, required, enum: values } = node;
    const problems: NodeProblem[] = [];
    const isText = (value: unknown) => typeof value === 'string';
    if (type !== undefined && !isText(type) && !(Array.isArray(type) && type.every(isText))) {
      problems.push(problem('The type of a schema must be a string or a list of strings.', 'type'));
    }
    if (Array.isArray(required) && !required.every(isText)) {
      problems.push(problem('The field "required" must be a list of names of properties.', 'required'));
    }
    if (values !== undefined && !Array.isArray(values)) {
      problems.push(problem('The field "enum" must be a list of values.', 'enum'));
    }
    return problems;
  },
  operation(node) {
    const { tags } = node;
    if (tags !== undefined && tags !== null && !Array.isArray(tags)) {
      return [problem('The tags of an operation must be a list of names.', 'tags')];
    }
    return [];
  },
};

function pathNames(paths: unknown): NodeProblem[] {
  if (!isObject(paths)) return [];
  const wrong = Object.keys(paths).find((name) => !/^(?:\/|x-|\$ref$)/.test(name));
  return wrong === undefined
    ? []
    : [problem(`A path must start with "/", and ${JSON.stringify(wrong.slice(0, 100))} does not.`, 'paths')];
}

export function checkNode(kind: Kind, node: JsonObject): readonly NodeProblem[] {
  return CHECKS[kind]?.(node) ?? [];
}
