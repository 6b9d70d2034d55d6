import type { Static } from 'typebox';
import { type Document, LineCounter, type Node } from 'yaml';
import type { IgnoreRule } from '../content/ignore/index.ts';
import { warningRules } from '../content/model/index.ts';
import { parseYamlDocument, resolveAliases } from '../content/yaml/index.ts';
import { type Config, ConfigFile, MAX_CONFIG_BYTES, type WithLines } from './config-schema.ts';
import { type DraftConfig, findConflicts } from './find-conflicts.ts';
import { defaultOf, type NodeOf, type NodeReport, readNode } from './read-node.ts';

/** A mistake in the configuration file, described for people. */
export interface ConfigProblem {
  readonly message: string;
  /** Both from 1; the column counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

export type ParsedConfig = { readonly config: Config } | { readonly problems: readonly ConfigProblem[] };

/** Further problems are not reported. */
const MAX_PROBLEMS = 50;

/**
 * Parses the configuration file of a repository. All mistakes are reported at once (at most 50), each with its position
 * and how to fix it; the result is never a partial configuration. Directories are normalised: no leading and trailing
 * slashes, '' for the root.
 */
export function parseConfig(text: string): ParsedConfig {
  const reading = new ConfigReading();
  const config = reading.read(text);
  if (config === null || reading.problems.length > 0) {
    const sorted = reading.problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
    // The target of an alias is read wherever it is used.
    const unique = new Map(
      sorted.map((problem) => [`${problem.line}:${problem.column} ${problem.message}`, problem]),
    );
    return { problems: [...unique.values()].slice(0, MAX_PROBLEMS) };
  }
  return { config };
}

/** The configuration of a repository without the file. */
export function defaultConfig(): Config {
  return defaultOf(ConfigFile) as Config;
}

class ConfigReading {
  readonly problems: ConfigProblem[] = [];
  readonly #lines = new LineCounter();

  read(text: string): Config | null {
    if (new TextEncoder().encode(text).length > MAX_CONFIG_BYTES) {
      return this.#refuse(`The file is larger than ${MAX_CONFIG_BYTES / 1024} KB.`, null);
    }
    const document = this.#parse(text.replace(/^\u{feff}/u, ''));
    if (document === null) return null;
    const root = document.contents;
    if (root === null)
      return this.#refuse(
        'The file is empty. List the spaces, such as `spaces: [{directory: docs, title: Docs}]`.',
        null,
      );
    const nodes: NodeOf = new Map();
    const report: NodeReport = {
      refuse: (message, node) => this.#refuse(message, node),
      lineOf: (node) => this.#positionAt(node.range?.[0] ?? 0).line,
      targetOf: resolveAliases(document),
    };
    const read = readNode(root, ConfigFile, '', report, nodes) as DraftConfig | undefined;
    if (read === undefined) return null;
    if (nodes.get(read)?.items.length === 0) {
      const keys = Object.keys(ConfigFile.properties).join(', ');
      return this.#refuse(`The file has no keys. Possible: ${keys}.`, root);
    }
    findConflicts(read, {
      refuse: (message, entry, key) => {
        const map = nodes.get(entry);
        const node = key === undefined ? undefined : (map?.get(key, true) as Node | undefined);
        report.refuse(message, node ?? map ?? root);
      },
      has: (entry, key) => nodes.get(entry)?.has(key) === true,
    });
    if (this.problems.length > 0) return null;
    // Complete, because nothing was refused.
    const { checks, ...file } = read as WithLines<Static<typeof ConfigFile>>;
    const ignore = [...checks.ignore.map(toIgnoreRule), ...toSeverities(checks.rules)];
    return { ...file, checks: { ...checks, ignore } };
  }

  /** Null when the YAML itself is invalid. */
  #parse(text: string): Document.Parsed | null {
    try {
      const document = parseYamlDocument(text, { lineCounter: this.#lines });
      if (document.errors.some(({ message }) => message.includes('call stack'))) return this.#refuseDepth();
      for (const error of document.errors.slice(0, 10)) {
        this.problems.push({
          message: `This is not valid YAML: ${error.message}`,
          ...this.#positionAt(error.pos[0]),
        });
      }
      return document.errors.length > 0 ? null : document;
    } catch {
      return this.#refuseDepth();
    }
  }

  #refuseDepth(): null {
    return this.#refuse('The YAML is nested too deeply.', null);
  }

  #refuse(message: string, node: Node | null): null {
    this.problems.push({ message, ...this.#positionAt(node?.range?.[0] ?? 0) });
    return null;
  }

  #positionAt(offset: number): Pick<ConfigProblem, 'line' | 'column'> {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

type Ignore = WithLines<Static<typeof ConfigFile>>['checks']['ignore'][number];

/** The entries of `checks.rules` that lower the severity of a rule. */
function toSeverities(rules: Config['checks']['rules']): readonly IgnoreRule[] {
  return Object.entries(rules).flatMap(([rule, severity]): readonly IgnoreRule[] => {
    if (severity === 'error') return [];
    // These rules only warn anyway.
    if (severity === 'warning' && warningRules.has(rule)) return [];
    const reason = 'The configuration says so.';
    return [{ target: null, file: null, rule, reason, until: null, line: 1, severity }];
  });
}

function toIgnoreRule({ target, file, rule, until, reason, line }: Ignore): IgnoreRule {
  return {
    target: target ?? null,
    file: file ?? null,
    rule: rule ?? null,
    reason,
    until: until ?? null,
    line,
  };
}
