import { Alias, type Document, isMap, isPair, isScalar, isSeq, type Node, visit } from 'yaml';
import { parseYamlDocument, resolveAliases } from './parse-yaml-document.ts';

/** Nodes that all aliases of a document may stand for together; what uses more is an attack. */
const MAX_ALIASED_NODES = 100_000;

/** What a YAML file means: YAML as it is, or with what MkDocs adds to it: merge keys and `!ENV`. */
export type YamlLanguage = 'plain' | 'mkdocs';

/** A YAML file, or one in another such language, as plain values. */
export interface FileValues {
  /** As far as they could be read; undefined where nothing could. */
  readonly values: unknown;
  /** The first error of the text; null when it has none. */
  readonly error: string | null;
  /** False where `values` could not be made, or not in time. */
  readonly isRead: boolean;
}

/** Reads YAML (or JSON) that users wrote. Never throws. */
export function readYaml(text: string, language: YamlLanguage): FileValues {
  try {
    const document = parseYamlDocument(text, { merge: language === 'mkdocs' });
    const error = document.errors[0]?.message ?? null;
    try {
      if (language === 'mkdocs') readEnvironment(document);
      return { values: valuesOf(document), error, isRead: true };
    } catch {
      return { values: undefined, error, isRead: false };
    }
  } catch {
    return { values: undefined, error: null, isRead: false };
  }
}

/**
 * The values of a document, in linear time: for each alias the library looks through the whole document, and through
 * whatever the alias stands for.
 *
 * @throws where aliases are unknown or multiply
 */
export function valuesOf(document: Document): unknown {
  const targetOf = resolveAliases(document);
  const sizes = new Map<Node, number>();
  let aliased = 0;
  visit(document, {
    Alias(_key, alias) {
      const target = targetOf(alias);
      aliased += target === undefined ? 1 : sizeOf(target, sizes);
      if (aliased > MAX_ALIASED_NODES) {
        throw new ReferenceError('Excessive alias count indicates a resource exhaustion attack');
      }
      resolveTo(alias, target);
    },
  });
  return document.toJS({ maxAliasCount: 100 });
}

/** Has the library find the target of an alias where it is known. */
function resolveTo(alias: Alias, target: Node | undefined): void {
  alias.resolve = (document, context) => {
    const found = target as ReturnType<Alias['resolve']>;
    if (context === undefined) return found;
    context.aliasResolveCache = found === undefined ? [] : [found];
    return Alias.prototype.resolve.call(alias, document, context);
  };
}

/** The nodes of a target, counted once for each. */
function sizeOf(target: Node, sizes: Map<Node, number>): number {
  const known = sizes.get(target);
  if (known !== undefined) return known;
  let size = 0;
  const pending: unknown[] = [target];
  while (pending.length > 0 && size <= MAX_ALIASED_NODES) {
    const next = pending.pop();
    size += 1;
    if (isPair(next)) pending.push(next.key, next.value);
    else if (isMap(next) || isSeq(next)) for (const item of next.items) pending.push(item);
  }
  sizes.set(target, size);
  return size;
}

/** Replaces `!ENV [NAME, default]` by its default and `!ENV NAME` by null, as if no environment variable were set. */
function readEnvironment(document: Document): void {
  visit(document, {
    Pair(_key, pair) {
      const { value } = pair;
      if ((!isSeq(value) && !isScalar(value)) || value.tag !== '!ENV') return;
      const last = isSeq(value) && value.items.length > 1 ? value.items.at(-1) : null;
      pair.value = isScalar(last) || isMap(last) || isSeq(last) ? last : null;
    },
  });
}
