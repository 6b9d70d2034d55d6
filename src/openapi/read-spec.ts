import { checkNode } from './check-node.ts';
import { MAX_PROBLEMS, MAX_SPEC_BYTES, MAX_SPEC_FILES } from './limits.ts';
import { isProblem, type ParsedSource, parseSource } from './parse-source.ts';
import { isObject, partsOf, readPointer, type ValuePath, valueAt, writePointer } from './pointer.ts';
import { KIND_NAMES, type Kind, SHAPES, type Shape } from './shapes.ts';
import type { SpecProblem } from './spec-problem.ts';
import { readVersion } from './spec-version.ts';

/** The text of a file, or a sentence that says why it cannot be read. */
export type FileContent = { readonly text: string } | { readonly problem: string };

/** Reads a file; called at most once per file. */
export type ReadFile = (file: string) => Promise<FileContent>;

export interface ReadOptions {
  /** The main file: a path or a URL. */
  readonly entry: string;
  readonly read: ReadFile;
  /** The file that a reference in the file `from` points to; null when that is not a file that may be read. */
  readonly locate: (from: string, reference: string) => string | null;
}

/** A description with all files that it references. */
export interface ReadSpec {
  readonly entry: string;
  /** In the order in which they were found, the entry first. */
  readonly files: ReadonlyMap<string, ParsedSource>;
  /** Every reference, so that `bundleSpec` can join the files. */
  readonly references: readonly SpecReference[];
}

export interface SpecReference {
  /** The object that contains the `$ref`. */
  readonly node: Record<string, unknown>;
  readonly file: string;
  readonly targetFile: string;
  readonly target: readonly string[];
}

export type SpecReading =
  | { readonly spec: ReadSpec; readonly problems?: undefined }
  | { readonly spec?: undefined; readonly problems: readonly SpecProblem[] };

/** A value that the walk still has to visit. */
interface Task {
  readonly file: string;
  readonly kind: Kind;
  readonly value: unknown;
  readonly path: ValuePath | null;
  /** Present when the value is the whole content of a field of this shape, which a reference replaces. */
  readonly field?: Shape;
}

/**
 * Reads a description and all files that it references, circular references included, and checks it against the table of
 * shapes. It is accepted or refused as a whole; each problem says what to fix, and where.
 */
export async function readSpec(options: ReadOptions): Promise<SpecReading> {
  const walk = new Walk(options);
  await walk.run();
  const problems = walk.problems.slice(0, MAX_PROBLEMS);
  if (problems.length > 0) return { problems };
  return { spec: { entry: options.entry, files: walk.files, references: walk.references } };
}

class Walk {
  readonly files = new Map<string, ParsedSource>();
  readonly references: SpecReference[] = [];
  readonly problems: SpecProblem[] = [];
  readonly #options: ReadOptions;
  readonly #tasks: Task[] = [];
  readonly #seen = new Map<Kind, WeakSet<object>>();
  /** References that replace a map and have been followed. */
  readonly #maps = new WeakSet<object>();
  readonly #missing = new Set<string>();
  /** Names that schemas define with `$anchor`, by file. */
  readonly #anchors = new Map<string, Map<string, readonly string[]>>();
  /** References to such names, resolved after the walk, when all names are known. */
  readonly #anchorReferences: (() => void)[] = [];
  #bytes = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { entry } = this.#options;
    const source = await this.#open(entry, null);
    if (source === null) return;
    const version = readVersion(source.value);
    if ('problem' in version)
      return this.#report('UNSUPPORTED_VERSION', version.problem, entry, version.parts);
    this.#tasks.push({ file: entry, kind: 'document', value: source.value, path: null });
    for (let next = this.#tasks.pop(); next; next = this.#tasks.pop()) {
      if (this.problems.length >= MAX_PROBLEMS) return;
      await this.#visit(next);
    }
    for (const resolve of this.#anchorReferences) resolve();
  }

  async #visit({ file, kind, value, path, field }: Task): Promise<void> {
    if (field) return await this.#enterField(field, value, file, path);
    if (kind === 'schema' && typeof value === 'boolean') return;
    if (!isObject(value)) {
      const what = value === null ? 'empty' : Array.isArray(value) ? 'a list' : 'not an object';
      return this.#report(
        'INVALID_STRUCTURE',
        `${KIND_NAMES[kind]} must be an object, and this is ${what}.`,
        file,
        path,
      );
    }
    const seen = this.#seen.get(kind) ?? new WeakSet();
    this.#seen.set(kind, seen);
    if (seen.has(value)) return;
    seen.add(value);
    const { $ref, $anchor } = value;
    if (typeof $anchor === 'string') this.#recordAnchor(file, $anchor, path);
    if ($ref !== undefined && kind !== 'document') {
      const referencePath = { parent: path, key: '$ref' };
      if (typeof $ref === 'string')
        await this.#followReference({ file, kind, value, path: referencePath }, $ref);
      else
        this.#report(
          'INVALID_STRUCTURE',
          'A $ref must be a string, and this is not one.',
          file,
          referencePath,
        );
      // Only schemas and path items may have other fields next to a reference.
      if (kind !== 'schema' && kind !== 'pathItem') return;
    }
    for (const { message, key } of checkNode(kind, value)) {
      this.#report('INVALID_STRUCTURE', message, file, key === undefined ? path : { parent: path, key });
    }
    // The last task runs first, so the added ones are reversed: problems are found in file order.
    const before = this.#tasks.length;
    await this.#enter(kind, value, file, path);
    const added = this.#tasks.splice(before).reverse();
    for (const task of added) this.#tasks.push(task);
  }

  async #enter(
    kind: Kind,
    value: Readonly<Record<string, unknown>>,
    file: string,
    path: ValuePath | null,
  ): Promise<void> {
    if (kind === 'callback') {
      await this.#enterField({ is: 'map', kind: 'pathItem' }, value, file, path);
      return;
    }
    for (const [field, shape] of Object.entries(SHAPES[kind])) {
      const inner = Object.hasOwn(value, field) ? value[field] : undefined;
      if (inner !== undefined) await this.#enterField(shape, inner, file, { parent: path, key: field });
    }
  }

  async #enterField(shape: Shape, value: unknown, file: string, path: ValuePath | null): Promise<void> {
    const { kind } = shape;
    const add = (inner: unknown, key: string) =>
      this.#tasks.push({ file, kind, value: inner, path: { parent: path, key } });
    if (shape.is === 'single' || (shape.is === 'single-or-list' && !Array.isArray(value))) {
      this.#tasks.push({ file, kind, value, path });
      return;
    }
    if (shape.is === 'list' || shape.is === 'single-or-list') {
      if (Array.isArray(value)) for (const [at, inner] of value.entries()) add(inner, String(at));
      else
        this.#report(
          'INVALID_STRUCTURE',
          `The field ${path?.key} must be a list, and this is not one.`,
          file,
          path,
        );
      return;
    }
    if (!isObject(value)) {
      // An empty map in YAML is read as null.
      if (value === null) return;
      this.#report(
        'INVALID_STRUCTURE',
        `The field ${path?.key} must be an object, and this is not one.`,
        file,
        path,
      );
      return;
    }
    // No version of OpenAPI allows references instead of a map, but large descriptions are split into files that way.
    const { $ref } = value;
    if (typeof $ref === 'string') {
      if (this.#maps.has(value)) return;
      this.#maps.add(value);
      const referencePath = { parent: path, key: '$ref' };
      return await this.#followReference({ file, kind, value, path: referencePath, field: shape }, $ref);
    }
    for (const [key, inner] of Object.entries(value)) {
      if (shape.is === 'map-or-names' && Array.isArray(inner)) continue;
      // Extensions are allowed among names; only schemas may have such a name themselves.
      if (key.startsWith('x-') && !isObject(inner)) continue;
      if (key.startsWith('x-') && (kind === 'pathItem' || kind === 'response')) continue;
      add(inner, key);
    }
  }

  async #followReference({ file, kind, value, path, field }: Task, reference: string): Promise<void> {
    const hash = reference.indexOf('#');
    const filePath = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : reference.slice(hash + 1);
    const targetFile = filePath === '' ? file : this.#options.locate(file, filePath);
    if (targetFile === null) {
      this.#unresolved(`The reference ${quote(reference)} points to no file that may be read.`, file, path);
      return;
    }
    const source = await this.#open(targetFile, { reference, file, path });
    if (source === null) return;
    const addReference = (target: readonly string[]) => {
      const found = valueAt(source.value, target);
      if (found === undefined) {
        this.#unresolved(
          `The reference ${quote(reference)} points to nothing: there is no such value${filePath === '' ? '' : ` in ${targetFile}`}.`,
          file,
          path,
        );
        return;
      }
      const node = value as Record<string, unknown>;
      if (found === node) {
        this.#unresolved(`The reference ${quote(reference)} points to itself.`, file, path);
        return;
      }
      this.references.push({ node, file, targetFile, target });
      const to = target.reduce<ValuePath | null>((parent, key) => ({ parent, key }), null);
      this.#tasks.push({ file: targetFile, kind, value: found, path: to, ...(field ? { field } : {}) });
    };
    const target = readPointer(decode(fragment));
    if (target !== null) return addReference(target);
    this.#anchorReferences.push(() => {
      const anchor = this.#anchors.get(targetFile)?.get(fragment);
      if (anchor) addReference(anchor);
      else
        this.#unresolved(
          `The reference ${quote(reference)} points to nothing: no schema has this name.`,
          file,
          path,
        );
    });
  }

  async #open(
    file: string,
    from: { readonly reference: string; readonly file: string; readonly path: ValuePath | null } | null,
  ): Promise<ParsedSource | null> {
    const known = this.files.get(file);
    if (known) return known;
    const refuse = (code: SpecProblem['code'], message: string) => {
      this.#missing.add(file);
      if (from)
        this.#report(code, `The reference ${quote(from.reference)}: ${message}`, from.file, from.path);
      else this.problems.push({ code, message, file });
      return null;
    };
    if (this.#missing.has(file)) return null;
    if (this.files.size >= MAX_SPEC_FILES) {
      return refuse('TOO_LARGE', `there are more than ${MAX_SPEC_FILES} files; merge some of them.`);
    }
    const result = await this.#options.read(file);
    if ('problem' in result) return refuse('UNRESOLVED_REFERENCE', result.problem);
    this.#bytes += result.text.length;
    if (this.#bytes > MAX_SPEC_BYTES) {
      const limit = MAX_SPEC_BYTES / 1024 / 1024;
      return refuse(
        'TOO_LARGE',
        `The files of a description may have at most ${limit} MiB together, and these have more.`,
      );
    }
    const source = parseSource(file, result.text);
    if (isProblem(source)) {
      this.#missing.add(file);
      this.problems.push(source);
      return null;
    }
    this.files.set(file, source);
    return source;
  }

  #recordAnchor(file: string, name: string, path: ValuePath | null): void {
    const anchors = this.#anchors.get(file) ?? new Map<string, readonly string[]>();
    this.#anchors.set(file, anchors.set(name, partsOf(path)));
  }

  #unresolved(message: string, file: string, path: ValuePath | null): void {
    this.#report('UNRESOLVED_REFERENCE', message, file, path);
  }

  #report(
    code: SpecProblem['code'],
    message: string,
    file: string,
    at: ValuePath | null | readonly string[],
  ): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const parts = isParts(at) ? at : partsOf(at);
    const [position] = this.files.get(file)?.positionsOf([parts]) ?? [];
    this.problems.push({ code, message, file, pointer: writePointer(parts), ...position });
  }
}

function isParts(at: ValuePath | null | readonly string[]): at is readonly string[] {
  return Array.isArray(at);
}

function quote(text: string): string {
  return `"${text.length > 200 ? `${text.slice(0, 200)}…` : text}"`;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
