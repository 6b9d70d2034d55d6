import { isObject, type JsonObject } from './pointer.ts';
import type { Kind } from './shapes.ts';

/** What is wrong with one object besides what it holds. */
export interface NodeFault {
  readonly message: string;
  /** The field that is wrong; the object itself when absent. */
  readonly key?: string;
}

type Check = (node: JsonObject) => readonly NodeFault[];

const fault = (message: string, key?: string): NodeFault =>
  key === undefined ? { message } : { message, key };

/** Only what would make the description say something else to readers than its authors meant. */
const CHECKS: Partial<Readonly<Record<Kind, Check>>> = {
  document(node) {
    const version = String(node['openapi'] ?? node['swagger']);
    const holders = /^3\.[12]/.test(version) ? ['paths', 'webhooks', 'components'] : ['paths'];
    if (holders.some((name) => node[name] !== undefined)) return pathNames(node['paths']);
    return [fault(`There is no ${holders.join(', no ')}: a description says what the API can do.`)];
  },
  parameter(node) {
    if (node['$ref'] !== undefined) return [];
    const faults: NodeFault[] = [];
    if (typeof node['name'] !== 'string') faults.push(fault('A parameter has a name, and this has none.'));
    const places = ['query', 'header', 'path', 'cookie', 'body', 'formData', 'querystring'];
    if (!places.includes(node['in'] as string)) {
      const said =
        node['in'] === undefined
          ? 'this says nothing'
          : `this says ${JSON.stringify(node['in'])?.slice(0, 40)}`;
      faults.push(
        fault(
          `A parameter says where it stands with "in" (one of ${places.join(', ')}), and ${said}.`,
          node['in'] === undefined ? undefined : 'in',
        ),
      );
    }
    return faults;
  },
  schema(node) {
    const { type, required, enum: values } = node;
    const faults: NodeFault[] = [];
    const isType = (one: unknown) => typeof one === 'string';
    if (type !== undefined && !isType(type) && !(Array.isArray(type) && type.every(isType))) {
      faults.push(fault('The type of a schema is a text, or a list of texts.', 'type'));
    }
    if (Array.isArray(required) && !required.every(isType)) {
      faults.push(fault('The field required is a list of names of properties.', 'required'));
    }
    if (values !== undefined && !Array.isArray(values)) {
      faults.push(fault('The field enum is a list of values.', 'enum'));
    }
    return faults;
  },
  operation(node) {
    const { tags } = node;
    if (tags !== undefined && tags !== null && !Array.isArray(tags)) {
      return [fault('The tags of an operation are a list of names.', 'tags')];
    }
    return [];
  },
};

function pathNames(paths: unknown): NodeFault[] {
  if (!isObject(paths)) return [];
  const wrong = Object.keys(paths).find((name) => !/^(?:\/|x-|\$ref$)/.test(name));
  return wrong === undefined
    ? []
    : [fault(`A path begins with "/", and ${JSON.stringify(wrong.slice(0, 100))} does not.`, 'paths')];
}

export function checkNode(kind: Kind, node: JsonObject): readonly NodeFault[] {
  return CHECKS[kind]?.(node) ?? [];
}
