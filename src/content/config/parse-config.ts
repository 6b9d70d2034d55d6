import { Check } from 'typebox/value';
import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import {
  Config,
  formatNames,
  MAX_CONFIG_BYTES,
  MAX_SPACES,
  MAX_TITLE_LENGTH,
  SpaceConfig,
} from './config-schema.ts';
import { nearestWord } from './nearest-word.ts';
import { readDirectory } from './read-directory.ts';
import { type ConfigReport, readIgnores } from './read-ignores.ts';

/** One mistake in the configuration file, for people. */
export interface ConfigProblem {
  readonly message: string;
  /** Both from 1; the column counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

export type ParsedConfig = { readonly config: Config } | { readonly problems: readonly ConfigProblem[] };

/**
 * Reads the configuration file of a repository. All mistakes are told at once, each with its place and what to write;
 * there is never half a configuration. Directories come out normalised: no slashes at the ends, '' for the root.
 */
export function parseConfig(text: string): ParsedConfig {
  const reading = new ConfigReading();
  const config = reading.read(text);
  if (config === null || reading.problems.length > 0) {
    return { problems: reading.problems.toSorted((a, b) => a.line - b.line) };
  }
  return { config };
}

class ConfigReading {
  readonly problems: ConfigProblem[] = [];
  readonly #lines = new LineCounter();
  readonly #report: ConfigReport = {
    refuse: (message, node) => this.#refuse(message, node),
    refuseUnknownKeys: (map, known) => this.#refuseUnknownKeys(map, known),
    lineOf: (node) => this.#placeAt(node.range?.[0] ?? 0).line,
  };

  read(text: string): Config | null {
    if (text.length > MAX_CONFIG_BYTES) {
      return this.#refuse(`The file is larger than ${MAX_CONFIG_BYTES / 1024} KB.`, null);
    }
    const root = this.#parse(text.replace(/^\u{feff}/u, ''));
    if (root === undefined) return null;
    if (root === null)
      return this.#refuse(
        'The file is empty. List the spaces, such as `spaces: [{directory: docs, title: Docs}]`.',
        null,
      );
    if (!isMap(root)) return this.#refuse('The file must hold keys and values, such as `spaces:`.', root);
    this.#refuseUnknownKeys(root, Object.keys(Config.properties));
    const checks = root.get('checks', true) as Node | undefined;
    const ignore = checks === undefined ? [] : readIgnores(checks, this.#report);
    const list = root.get('spaces', true) as Node | undefined;
    if (list === undefined && checks === undefined) return this.#refuse('The key `spaces` is missing.', root);
    const spaces = list === undefined ? [] : this.#readSpaces(list);
    if (spaces === null) return null;
    const config: Config = { spaces, checks: { ignore: [...ignore] } };
    if (this.problems.length === 0 && !Check(Config, config))
      return this.#refuse('The file is not valid.', root);
    return config;
  }

  #readSpaces(list: Node): Config['spaces'] | null {
    if (!isSeq(list)) return this.#refuse('`spaces` must be a list of `{directory, title}`.', list);
    if (list.items.length === 0) return this.#refuse('`spaces` is empty. Name at least one space.', list);
    if (list.items.length > MAX_SPACES) {
      return this.#refuse(
        `There are ${list.items.length} spaces, and at most ${MAX_SPACES} are possible.`,
        list,
      );
    }
    const read = list.items.map((item) => this.#readSpace(item as Node));
    this.#refuseOverlaps(read.filter((one) => one !== null));
    return read.flatMap((one) => (one === null ? [] : [one.space]));
  }

  /** Undefined when the YAML itself is wrong. */
  #parse(text: string): ParsedNode | null | undefined {
    try {
      const document = parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        logLevel: 'silent',
      });
      for (const error of document.errors.slice(0, 10)) {
        this.problems.push({
          message: `This is not valid YAML: ${error.message}`,
          ...this.#placeAt(error.pos[0]),
        });
      }
      return document.errors.length > 0 ? undefined : document.contents;
    } catch {
      this.#refuse('The YAML is nested too deeply.', null);
      return undefined;
    }
  }

  #readSpace(item: Node): { readonly space: Config['spaces'][number]; readonly node: Node } | null {
    if (!isMap(item)) return this.#refuse('A space must be `{directory, title}`.', item);
    const before = this.problems.length;
    this.#refuseUnknownKeys(item, Object.keys(SpaceConfig.properties));
    const directoryNode = item.get('directory', true) as Node | undefined;
    const directory = this.#readString(item, 'directory');
    const title = this.#readString(item, 'title')?.trim();
    const format = item.has('format') ? this.#readFormat(item) : null;
    const read = directory === null ? null : readDirectory(directory);
    if (read !== null && 'problem' in read) this.#refuse(read.problem, directoryNode ?? item);
    if (title === '') this.#refuse('`title` is empty.', item);
    if (title !== undefined && title.length > MAX_TITLE_LENGTH) {
      this.#refuse(`\`title\` is longer than ${MAX_TITLE_LENGTH} characters.`, item);
    }
    if (this.problems.length > before || read === null || 'problem' in read || title === undefined)
      return null;
    const space = { directory: read.directory, title, ...(format === null ? {} : { format }) };
    return { space, node: directoryNode ?? item };
  }

  #readFormat(item: Node): Config['spaces'][number]['format'] | null {
    const said = this.#readString(item, 'format')?.trim();
    if (said === undefined) return null;
    const known = formatNames.find((name) => name === said);
    if (known !== undefined) return known;
    const near = nearestWord(said, formatNames);
    const hint =
      near === null ? `Possible: ${formatNames.toSorted().join(', ')}.` : `Did you mean \`${near}\`?`;
    return this.#refuse(
      `\`${said}\` is not a format. ${hint}`,
      isMap(item) ? (item.get('format', true) as Node) : item,
    );
  }

  #readString(item: Node, key: 'directory' | 'title' | 'format'): string | null {
    if (!isMap(item)) return null;
    const node = item.get(key, true) as Node | undefined;
    if (node === undefined) return this.#refuse(`The key \`${key}\` is missing.`, item);
    if (!isScalar(node) || typeof node.value !== 'string') {
      // `title: 2024` is a number in YAML; people mean its text.
      if (isScalar(node) && typeof node.value === 'number') return node.source ?? String(node.value);
      return this.#refuse(`\`${key}\` must be text.`, node);
    }
    return node.value;
  }

  #refuseUnknownKeys(map: Node, known: readonly string[]): void {
    if (!isMap(map)) return;
    for (const { key } of map.items) {
      const name = isScalar(key) ? String(key.value) : '?';
      if (isScalar(key) && known.includes(name)) continue;
      const near = nearestWord(name, known);
      const hint = near === null ? `Possible: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
      this.#refuse(`\`${name}\` is not a key here. ${hint}`, key as Node);
    }
  }

  #refuseOverlaps(
    spaces: readonly { readonly space: Config['spaces'][number]; readonly node: Node }[],
  ): void {
    for (const [at, { space, node }] of spaces.entries()) {
      const other = spaces.slice(0, at).find((one) => overlap(one.space.directory, space.directory));
      if (other === undefined) continue;
      const [a, b] = [space.directory || '.', other.space.directory || '.'];
      const how = a === b ? `\`${a}\` is listed twice` : `\`${a}\` and \`${b}\` overlap`;
      this.#refuse(`${how}: a page can be in one space only.`, node);
    }
    for (const [at, { space, node }] of spaces.entries()) {
      if (spaces.slice(0, at).some((one) => one.space.title === space.title)) {
        this.#refuse(`Two spaces have the title “${space.title}”. Give each its own.`, node);
      }
    }
  }

  #refuse(message: string, node: Node | null | undefined): null {
    this.problems.push({ message, ...this.#placeAt(node?.range?.[0] ?? 0) });
    return null;
  }

  #placeAt(offset: number): Pick<ConfigProblem, 'line' | 'column'> {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function overlap(a: string, b: string): boolean {
  return a === '' || b === '' || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
