import { checkNode } from './check-node.ts';
import { MAX_PROBLEMS, MAX_SPEC_BYTES, MAX_SPEC_FILES } from './limits.ts';
import { isProblem, type ParsedSource, parseSource } from './parse-source.ts';
import { isObject, partsOf, readPointer, valueAt, type Way, writePointer } from './pointer.ts';
import { type Kind, NAMES, SHAPES, type Shape } from './shapes.ts';
import type { SpecProblem } from './spec-problem.ts';
import { readVersion } from './spec-version.ts';

/** The text of a file, or a sentence that says why it cannot be read. */
export type FileContent = { readonly text: string } | { readonly problem: string };

/** Reads a file; called at most once per file. */
export type ReadFile = (file: string) => Promise<FileContent>;

export interface ReadOptions {
  /** The file to begin with: a path, or an address. */
  readonly entry: string;
  readonly read: ReadFile;
  /** The name of the file that a reference leads to, seen from another; null where it leads to none that may be read. */
  readonly locate: (from: string, reference: string) => string | null;
}

/** A description with all files that it refers to. */
export interface ReadSpec {
  readonly entry: string;
  /** In the order in which they were met, the entry first. */
  readonly files: ReadonlyMap<string, ParsedSource>;
  /** Every reference, so that the files can be joined; see `bundleSpec`. */
  readonly references: readonly SpecReference[];
}

export interface SpecReference {
  /** The object whose `$ref` it is. */
  readonly holder: Record<string, unknown>;
  readonly file: string;
  readonly targetFile: string;
  readonly target: readonly string[];
}

export type SpecReading =
  | { readonly spec: ReadSpec; readonly problems?: undefined }
  | { readonly spec?: undefined; readonly problems: readonly SpecProblem[] };

/** What the walk still has to look at. */
interface Task {
  readonly file: string;
  readonly kind: Kind;
  readonly value: unknown;
  readonly way: Way | null;
  /** Set: it is all that a field of this shape holds, behind a reference that stands in place of the field. */
  readonly field?: Shape;
}

/**
 * Reads a description and all that it refers to, circles too, and holds it against the table of shapes. It is taken or
 * refused as a whole: the problems say what to mend, each with its place.
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
  /** References in place of maps that were followed. */
  readonly #maps = new WeakSet<object>();
  readonly #missing = new Set<string>();
  /** Names that schemas give themselves (`$anchor`), by file. */
  readonly #anchors = new Map<string, Map<string, readonly string[]>>();
  /** References by such a name wait until all of them are known. */
  readonly #named: (() => void)[] = [];
  #bytes = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { entry } = this.#options;
    const source = await this.#open(entry, null);
    if (source === null) return;
    const version = readVersion(source.value);
    if ('problem' in version) return this.#note('UNSUPPORTED_VERSION', version.problem, entry, version.parts);
    this.#tasks.push({ file: entry, kind: 'document', value: source.value, way: null });
    for (let next = this.#tasks.pop(); next; next = this.#tasks.pop()) {
      if (this.problems.length >= MAX_PROBLEMS) return;
      await this.#look(next);
    }
    for (const resolve of this.#named) resolve();
  }

  async #look({ file, kind, value, way, field }: Task): Promise<void> {
    if (field) return await this.#enterField(field, value, file, way);
    if (kind === 'schema' && typeof value === 'boolean') return;
    if (!isObject(value)) {
      const what = value === null ? 'empty' : Array.isArray(value) ? 'a list' : 'no object';
      return this.#note('INVALID_STRUCTURE', `${NAMES[kind]} is an object, and this is ${what}.`, file, way);
    }
    const seen = this.#seen.get(kind) ?? new WeakSet();
    this.#seen.set(kind, seen);
    if (seen.has(value)) return;
    seen.add(value);
    const { $ref, $anchor } = value;
    if (typeof $anchor === 'string') this.#noteAnchor(file, $anchor, way);
    if ($ref !== undefined && kind !== 'document') {
      const refWay = { above: way, key: '$ref' };
      if (typeof $ref === 'string') await this.#follow({ file, kind, value, way: refWay }, $ref);
      else this.#note('INVALID_STRUCTURE', 'A $ref is a text, and this is none.', file, refWay);
      // Beside a reference only schemas and paths say something of their own.
      if (kind !== 'schema' && kind !== 'pathItem') return;
    }
    for (const fault of checkNode(kind, value)) {
      this.#note(
        'INVALID_STRUCTURE',
        fault.message,
        file,
        fault.key === undefined ? way : { above: way, key: fault.key },
      );
    }
    // The last is taken first, so that problems are met in the order of the file.
    const before = this.#tasks.length;
    await this.#enter(kind, value, file, way);
    const added = this.#tasks.splice(before).reverse();
    for (const task of added) this.#tasks.push(task);
  }

  async #enter(
    kind: Kind,
    value: Readonly<Record<string, unknown>>,
    file: string,
    way: Way | null,
  ): Promise<void> {
    if (kind === 'callback') {
      await this.#enterField({ is: 'map', kind: 'pathItem' }, value, file, way);
      return;
    }
    for (const [field, shape] of Object.entries(SHAPES[kind])) {
      const inner = Object.hasOwn(value, field) ? value[field] : undefined;
      if (inner !== undefined) await this.#enterField(shape, inner, file, { above: way, key: field });
    }
  }

  async #enterField(shape: Shape, value: unknown, file: string, way: Way | null): Promise<void> {
    const { kind } = shape;
    const add = (inner: unknown, key: string) =>
      this.#tasks.push({ file, kind, value: inner, way: { above: way, key } });
    if (shape.is === 'one' || (shape.is === 'one-or-list' && !Array.isArray(value))) {
      this.#tasks.push({ file, kind, value, way });
      return;
    }
    if (shape.is === 'list' || shape.is === 'one-or-list') {
      if (Array.isArray(value)) for (const [at, inner] of value.entries()) add(inner, String(at));
      else this.#note('INVALID_STRUCTURE', `The field ${way?.key} is a list, and this is none.`, file, way);
      return;
    }
    if (!isObject(value)) {
      // An empty map of YAML is null.
      if (value === null) return;
      this.#note('INVALID_STRUCTURE', `The field ${way?.key} is an object, and this is none.`, file, way);
      return;
    }
    // No version has references in place of a map, and yet large descriptions are spread over files so.
    const { $ref } = value;
    if (typeof $ref === 'string') {
      if (this.#maps.has(value)) return;
      this.#maps.add(value);
      const refWay = { above: way, key: '$ref' };
      return await this.#follow({ file, kind, value, way: refWay, field: shape }, $ref);
    }
    for (const [key, inner] of Object.entries(value)) {
      if (shape.is === 'map-or-names' && Array.isArray(inner)) continue;
      // Extensions may stand among names; only schemas may be called so.
      if (key.startsWith('x-') && !isObject(inner)) continue;
      if (key.startsWith('x-') && (kind === 'pathItem' || kind === 'response')) continue;
      add(inner, key);
    }
  }

  async #follow({ file, kind, value, way, field }: Task, reference: string): Promise<void> {
    const hash = reference.indexOf('#');
    const path = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : reference.slice(hash + 1);
    const targetFile = path === '' ? file : this.#options.locate(file, path);
    if (targetFile === null) {
      this.#unresolved(`The reference ${quote(reference)} leads to no file that may be read.`, file, way);
      return;
    }
    const source = await this.#open(targetFile, { reference, file, way });
    if (source === null) return;
    const refer = (target: readonly string[]) => {
      const found = valueAt(source.value, target);
      if (found === undefined) {
        this.#unresolved(
          `The reference ${quote(reference)} leads to nothing: there is no such place${path === '' ? '' : ` in ${targetFile}`}.`,
          file,
          way,
        );
        return;
      }
      const holder = value as Record<string, unknown>;
      if (found === holder) {
        this.#unresolved(`The reference ${quote(reference)} leads to itself.`, file, way);
        return;
      }
      this.references.push({ holder, file, targetFile, target });
      const to = target.reduce<Way | null>((above, key) => ({ above, key }), null);
      this.#tasks.push({ file: targetFile, kind, value: found, way: to, ...(field ? { field } : {}) });
    };
    const target = readPointer(decode(fragment));
    if (target !== null) return refer(target);
    this.#named.push(() => {
      const named = this.#anchors.get(targetFile)?.get(fragment);
      if (named) refer(named);
      else
        this.#unresolved(
          `The reference ${quote(reference)} leads to nothing: no schema has this name.`,
          file,
          way,
        );
    });
  }

  async #open(
    file: string,
    from: { readonly reference: string; readonly file: string; readonly way: Way | null } | null,
  ): Promise<ParsedSource | null> {
    const known = this.files.get(file);
    if (known) return known;
    const refuse = (code: SpecProblem['code'], message: string) => {
      this.#missing.add(file);
      if (from) this.#note(code, `The reference ${quote(from.reference)}: ${message}`, from.file, from.way);
      else this.problems.push({ code, message, file });
      return null;
    };
    if (this.#missing.has(file)) return null;
    if (this.files.size >= MAX_SPEC_FILES) {
      return refuse('TOO_LARGE', `there are more than ${MAX_SPEC_FILES} files; join some of them.`);
    }
    const answer = await this.#options.read(file);
    if ('problem' in answer) return refuse('UNRESOLVED_REFERENCE', answer.problem);
    this.#bytes += answer.text.length;
    if (this.#bytes > MAX_SPEC_BYTES) {
      const limit = MAX_SPEC_BYTES / 1024 / 1024;
      return refuse(
        'TOO_LARGE',
        `The files of a description may have ${limit} MiB together, and these have more.`,
      );
    }
    const source = parseSource(file, answer.text);
    if (isProblem(source)) {
      this.#missing.add(file);
      this.problems.push(source);
      return null;
    }
    this.files.set(file, source);
    return source;
  }

  #noteAnchor(file: string, name: string, way: Way | null): void {
    const anchors = this.#anchors.get(file) ?? new Map<string, readonly string[]>();
    this.#anchors.set(file, anchors.set(name, partsOf(way)));
  }

  #unresolved(message: string, file: string, way: Way | null): void {
    this.#note('UNRESOLVED_REFERENCE', message, file, way);
  }

  #note(code: SpecProblem['code'], message: string, file: string, at: Way | null | readonly string[]): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const parts = isParts(at) ? at : partsOf(at);
    const [place] = this.files.get(file)?.placesOf([parts]) ?? [];
    this.problems.push({ code, message, file, pointer: writePointer(parts), ...place });
  }
}

function isParts(at: Way | null | readonly string[]): at is readonly string[] {
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
