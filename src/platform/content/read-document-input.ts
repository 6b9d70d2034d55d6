import type { Document, DocumentNodeResource } from '../../contract/index.ts';
import { invalid } from '../api/api-error.ts';

const MAX_DEPTH = 50;

/** The document of a request, reduced to the fields of a document; throws a 400 if it is not a document. */
export function readDocumentInput({ data, nodes }: Document): Document {
  const version = data?.schemaVersion;
  return {
    object: 'document',
    data: { ...data, schemaVersion: Number.isInteger(version) ? version : 1 },
    nodes: nodes.map((node, index) => readNode(node, `/body/instructions/nodes/${index}`, 0)),
  };
}

function readNode(input: DocumentNodeResource, pointer: string, depth: number): DocumentNodeResource {
  if (typeof input !== 'object' || input === null || depth > MAX_DEPTH)
    throw invalid(pointer, 'is not a node of a document');
  const { object, key, type, isVoid, data, nodes, leaves } = input;
  if (!['block', 'inline', 'text', 'fragment'].includes(object)) {
    throw invalid(`${pointer}/object`, 'must be block, inline, text or fragment');
  }
  const isList = (value: unknown) => value === undefined || Array.isArray(value);
  if (!isList(nodes) || !isList(leaves)) throw invalid(pointer, 'must have its nodes and leaves in arrays');
  return {
    object,
    key: typeof key === 'string' ? key : pointer,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof isVoid === 'boolean' ? { isVoid } : {}),
    ...(typeof data === 'object' && data !== null ? { data } : {}),
    ...(nodes
      ? { nodes: nodes.map((node, index) => readNode(node, `${pointer}/nodes/${index}`, depth + 1)) }
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
