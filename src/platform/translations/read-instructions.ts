import type { Document, DocumentNodeResource } from '../../contract/index.ts';
import { invalid } from '../api/api-error.ts';

const MAX_DEPTH = 50;

/** The document of a request, reduced to the fields of a document; throws a 400 where it is none. */
export function readInstructions({ data, nodes }: Document): Document {
  const version = data?.schemaVersion;
  return {
    object: 'document',
    data: { ...data, schemaVersion: Number.isInteger(version) ? version : 1 },
    nodes: nodes.map((node, at) => readNode(node, `/body/instructions/nodes/${at}`, 0)),
  };
}

function readNode(given: DocumentNodeResource, at: string, depth: number): DocumentNodeResource {
  if (typeof given !== 'object' || given === null || depth > MAX_DEPTH)
    throw invalid(at, 'is no node of a document');
  const { object, key, type, isVoid, data, nodes, leaves } = given;
  if (!['block', 'inline', 'text', 'fragment'].includes(object)) {
    throw invalid(`${at}/object`, 'must be block, inline, text or fragment');
  }
  const isList = (value: unknown) => value === undefined || Array.isArray(value);
  if (!isList(nodes) || !isList(leaves)) throw invalid(at, 'must hold its nodes and leaves in lists');
  return {
    object,
    key: typeof key === 'string' ? key : at,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof isVoid === 'boolean' ? { isVoid } : {}),
    ...(typeof data === 'object' && data !== null ? { data } : {}),
    ...(nodes
      ? { nodes: nodes.map((node, index) => readNode(node, `${at}/nodes/${index}`, depth + 1)) }
      : {}),
    ...(leaves
      ? {
          leaves: leaves.map((leaf) => ({
            object: 'leaf' as const,
            text: String(leaf?.text ?? ''),
            marks: [],
          })),
        }
      : {}),
  };
}
