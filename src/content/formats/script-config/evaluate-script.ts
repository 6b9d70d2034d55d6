import type { ImportDeclaration, Node, Program } from 'oxc-parser';
import type { RepoPath } from '../../model/index.ts';
import { findWrites, namesOf, type Writes } from './find-writes.ts';
import { bareExpression, literalKey, type ParsedScript, parseScript } from './parse-script.ts';
import { isRelative, type ReadImport } from './script-files.ts';
import type { ScriptPositions, ValueSpan } from './script-positions.ts';
import {
  isList,
  isScriptObject,
  isUnknown,
  ScriptFunction,
  type ScriptObject,
  ScriptPattern,
  type ScriptValue,
  settingAt,
  UNKNOWN,
} from './script-value.ts';

/** A function of a package that a configuration calls. */
export interface ScriptCallee {
  /** Its name in the script, such as `glob` or `path.join`. */
  readonly name: string;
  /** The package from which it is imported; null when that is not known. */
  readonly source: string | null;
}

/** Returns the value of a call of a package's function, as far as the configuration needs it; `UNKNOWN` for most. */
export type ReadCall = (callee: ScriptCallee, values: readonly ScriptValue[]) => ScriptValue;

export interface ScriptOptions {
  /** Reads the modules that the script imports; their values are unknown when it is absent. */
  readonly readImport?: ReadImport;
  readonly readCall?: ReadCall;
  /** Receives the positions of string literals in the script itself. */
  readonly positions?: ScriptPositions;
}

/** Deepest nesting of constants and modules that refer to each other. */
const MAX_DEPTH = 40;

/** Expressions that are evaluated for one configuration; further ones are unknown. */
const MAX_STEPS = 500_000;

/** Values that spreads in one configuration may copy; further spreads are unknown. */
const MAX_COPIED = 50_000;

/** Longest text that is concatenated, in UTF-16 code units; longer ones are unknown. */
const MAX_JOINED_LENGTH = 100_000;

/** Functions of packages that return their first argument, as far as a configuration is concerned. */
const WRAPPERS = /^(?:define\w*|with[A-Z]\w*|extendConfig)$/;

/** The state of one evaluation, shared by all its modules. */
class Evaluation {
  readonly options: ScriptOptions;
  readonly modules = new Map<RepoPath, ScriptModule>();
  depth = 0;
  #steps = 0;
  #copied = 0;

  constructor(options: ScriptOptions) {
    this.options = options;
  }

  mayStep(): boolean {
    this.#steps += 1;
    return this.#steps <= MAX_STEPS;
  }

  mayCopy(count: number): boolean {
    this.#copied += count + 1;
    return this.#copied <= MAX_COPIED;
  }
}

/** What a name in a module refers to. */
type Binding =
  | { readonly kind: 'value'; readonly node: Node | null; readonly keys: readonly string[] }
  | { readonly kind: 'function'; readonly node: Node }
  | { readonly kind: 'import'; readonly specifier: string; readonly name: string }
  | { readonly kind: 'unknown' };

const UNKNOWN_BINDING: Binding = { kind: 'unknown' };

/** The name under which `import * as x` refers to all exports of a module. */
const ALL = '*';

/** Opens a script for evaluation; null when it cannot be parsed. Nothing is run. */
export function openScript(text: string, path: RepoPath, options: ScriptOptions = {}): ScriptModule | null {
  const script = parseScript(text);
  return script === null ? null : new ScriptModule(script, path, new Evaluation(options), true);
}

/** One script, whose constants are evaluated from its syntax tree. Everything else is `UNKNOWN`. */
export class ScriptModule {
  readonly #script: ParsedScript;
  readonly #program: Program;
  readonly #path: RepoPath;
  readonly #evaluation: Evaluation;
  readonly #positions: ScriptPositions | undefined;
  readonly #writes: Writes;
  readonly #bindings = new Map<string, Binding>();
  readonly #known = new Map<string, ScriptValue>();
  /** The arguments of the function whose result is evaluated; null outside of functions. */
  #arguments: ReadonlyMap<string, ScriptValue> | null = null;
  readonly #called = new Set<Node>();

  constructor(script: ParsedScript, path: RepoPath, evaluation: Evaluation, isMain: boolean) {
    this.#script = script;
    this.#program = script.program;
    this.#path = path;
    this.#evaluation = evaluation;
    this.#positions = isMain ? evaluation.options.positions : undefined;
    this.#writes = findWrites(script.program);
    evaluation.modules.set(path, this);
    for (const statement of this.#program.body) this.#declare(statement);
  }

  /** The value of a JSON file, or the default export of a script. */
  main(): ScriptValue {
    const [only, ...rest] = this.#program.body;
    const isJson = this.#script.ahead > 0 && rest.length === 0 && only?.type === 'ExpressionStatement';
    return isJson ? this.#evaluate(only.expression) : this.exported('default');
  }

  /** The names that the module exports, without those of `export * from`. */
  exportedNames(): readonly string[] {
    const names = this.#program.body.flatMap((statement) => {
      if (statement.type === 'ExportDefaultDeclaration' || statement.type === 'TSExportAssignment')
        return ['default'];
      if (statement.type !== 'ExportNamedDeclaration') return [];
      const { declaration, specifiers } = statement;
      const own = specifiers.flatMap(({ exported }) => nameOf(exported) ?? []);
      if (declaration?.type === 'VariableDeclaration')
        return declaration.declarations.flatMap(({ id }) => namesOf(id));
      return declaration?.type === 'FunctionDeclaration' ? [declaration.id?.name ?? ''] : own;
    });
    const assigned = this.#writes.exported.map(({ name }) => name ?? 'default');
    return [...new Set([...names, ...assigned])];
  }

  /** The value that the module exports under a name. */
  exported(name: string): ScriptValue {
    return this.#remember(`export ${name}`, () => this.#findExported(name));
  }

  #findExported(name: string): ScriptValue {
    let found: ScriptValue = UNKNOWN;
    for (const statement of this.#program.body) {
      if (statement.type === 'ExportDefaultDeclaration' && name === 'default')
        return this.#evaluate(statement.declaration);
      if (statement.type === 'TSExportAssignment' && name === 'default')
        return this.#evaluate(statement.expression);
      if (statement.type === 'ExportNamedDeclaration') {
        const { declaration, specifiers, source } = statement;
        if (declaration !== null && declaredNames(declaration).includes(name)) return this.#name(name);
        const own = specifiers.find(({ exported }) => nameOf(exported) === name);
        const local = own === undefined ? null : nameOf(own.local);
        if (local !== null) return source === null ? this.#name(local) : this.#imported(source.value, local);
      }
      if (statement.type === 'ExportAllDeclaration') {
        if (statement.exported !== null && nameOf(statement.exported) === name)
          return this.#imported(statement.source.value, ALL);
        if (statement.exported === null && name !== 'default' && found === UNKNOWN)
          found = this.#imported(statement.source.value, name);
      }
    }
    return found === UNKNOWN ? this.#assigned(name) : found;
  }

  /** The value that the module exports by an assignment to `module.exports` or its properties. */
  #assigned(name: string): ScriptValue {
    const { exported, changed } = this.#writes;
    const whole = exported.filter((candidate) => candidate.name === null);
    const isCertain =
      exported.every((candidate) => candidate.isCertain) && !changed.has('module') && !changed.has('exports');
    if (exported.length === 0 || !isCertain || whole.length > 1) return UNKNOWN;
    const [only] = whole;
    if (only !== undefined) {
      if (exported.length > 1) return UNKNOWN;
      const value = this.#remember('module.exports', () => this.#evaluate(only.value));
      return name === 'default' ? value : settingAt(value, name);
    }
    if (new Set(exported.map((candidate) => candidate.name)).size < exported.length) return UNKNOWN;
    if (name === 'default') {
      const entries = exported.map(
        (candidate) => [candidate.name ?? '', this.#assigned(candidate.name ?? '')] as const,
      );
      return { entries: new Map(entries), isOpen: false };
    }
    const own = exported.find((candidate) => candidate.name === name);
    return own === undefined ? undefined : this.#remember(`exports.${name}`, () => this.#evaluate(own.value));
  }

  #imported(specifier: string, name: string): ScriptValue {
    if (!isRelative(specifier)) return UNKNOWN;
    const module = this.#open(specifier);
    if (module === null) return UNKNOWN;
    if (name !== ALL) {
      const isJson = module.#script.ahead > 0;
      return isJson
        ? name === 'default'
          ? module.main()
          : settingAt(module.main(), name)
        : module.exported(name);
    }
    const names = module.exportedNames();
    const isOpen = module.#program.body.some((candidate) => candidate.type === 'ExportAllDeclaration');
    return { entries: new Map(names.map((candidate) => [candidate, module.exported(candidate)])), isOpen };
  }

  #open(specifier: string): ScriptModule | null {
    const { options, modules, depth } = this.#evaluation;
    const file = depth > MAX_DEPTH ? null : (options.readImport?.(this.#path, specifier) ?? null);
    if (file === null) return null;
    const known = modules.get(file.path);
    if (known !== undefined) return known;
    const script = parseScript(file.text);
    return script === null ? null : new ScriptModule(script, file.path, this.#evaluation, false);
  }

  /** Evaluates a value once. A value that depends on itself is unknown. */
  #remember(key: string, evaluate: () => ScriptValue): ScriptValue {
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, UNKNOWN);
    if (this.#evaluation.depth > MAX_DEPTH) return UNKNOWN;
    const value = this.#evaluateWith(null, evaluate);
    this.#known.set(key, value);
    return value;
  }

  #evaluateWith(given: ReadonlyMap<string, ScriptValue> | null, evaluate: () => ScriptValue): ScriptValue {
    const outer = this.#arguments;
    this.#arguments = given;
    this.#evaluation.depth += 1;
    const value = evaluate();
    this.#evaluation.depth -= 1;
    this.#arguments = outer;
    return value;
  }

  #declare(statement: Node): void {
    switch (statement.type) {
      case 'ExportNamedDeclaration':
        if (statement.declaration !== null) this.#declare(statement.declaration);
        break;
      case 'ExportDefaultDeclaration':
        if (statement.declaration.type === 'FunctionDeclaration') this.#declare(statement.declaration);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of statement.declarations) {
          if (statement.declare === true) for (const name of namesOf(id)) this.#bind(name, UNKNOWN_BINDING);
          else this.#bindPattern(id, init, []);
        }
        break;
      case 'FunctionDeclaration':
        if (statement.id !== null) this.#bind(statement.id.name, { kind: 'function', node: statement });
        break;
      case 'ImportDeclaration':
        if (statement.importKind !== 'type') this.#declareImports(statement);
        break;
      case 'ClassDeclaration':
      case 'TSEnumDeclaration':
        if (statement.id !== null) this.#bind(statement.id.name, UNKNOWN_BINDING);
        break;
    }
  }

  #declareImports({ specifiers, source }: ImportDeclaration): void {
    for (const specifier of specifiers) {
      if (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') continue;
      const name =
        specifier.type === 'ImportSpecifier'
          ? nameOf(specifier.imported)
          : specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : ALL;
      this.#bind(specifier.local.name, { kind: 'import', specifier: source.value, name: name ?? '' });
    }
  }

  /** `keys` is the path, in the value of `node`, of the value that the pattern destructures. */
  #bindPattern(pattern: Node, node: Node | null, keys: readonly string[]): void {
    if (pattern.type === 'Identifier') this.#bind(pattern.name, { kind: 'value', node, keys });
    else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        const key = property.type === 'Property' ? literalKey(property.key, property.computed) : null;
        if (property.type === 'Property' && key !== null)
          this.#bindPattern(property.value, node, [...keys, key]);
        else
          for (const name of namesOf(property.type === 'Property' ? property.value : property))
            this.#bind(name, UNKNOWN_BINDING);
      }
    } else for (const name of namesOf(pattern)) this.#bind(name, UNKNOWN_BINDING);
  }

  /** A name that is declared twice is unknown. */
  #bind(name: string, binding: Binding): void {
    this.#bindings.set(name, this.#bindings.has(name) ? UNKNOWN_BINDING : binding);
  }

  #name(name: string): ScriptValue {
    if (this.#arguments?.has(name) === true) {
      const isWritten = this.#writes.reassigned.has(name) || this.#writes.changed.has(name);
      return isWritten ? UNKNOWN : this.#arguments.get(name);
    }
    const binding = this.#bindings.get(name);
    if (binding === undefined) return name === 'undefined' ? undefined : UNKNOWN;
    if (this.#writes.reassigned.has(name)) return UNKNOWN;
    const value = this.#remember(`name ${name}`, () => this.#valueOf(binding));
    const isChanged = this.#writes.changed.has(name) && typeof value === 'object' && value !== null;
    return isChanged ? UNKNOWN : value;
  }

  #valueOf(binding: Binding): ScriptValue {
    switch (binding.kind) {
      case 'value': {
        const whole = binding.node === null ? undefined : this.#evaluate(binding.node);
        return binding.keys.reduce((value: ScriptValue, key) => this.#member(value, key), whole);
      }
      case 'function':
        return this.#function(binding.node);
      case 'import':
        return this.#imported(binding.specifier, binding.name);
      default:
        return UNKNOWN;
    }
  }

  #evaluate(expression: Node): ScriptValue {
    if (!this.#evaluation.mayStep()) return UNKNOWN;
    const node = bareExpression(expression);
    switch (node.type) {
      case 'Literal':
        if ('regex' in node) return new ScriptPattern(node.regex.pattern, node.regex.flags);
        return typeof node.value === 'bigint' ? UNKNOWN : (node.value as ScriptValue);
      case 'TemplateLiteral':
        return this.#template(node);
      case 'Identifier':
        return this.#name(node.name);
      case 'ArrayExpression':
        return this.#list(node);
      case 'ObjectExpression':
        return this.#object(node);
      case 'MemberExpression': {
        const object = this.#evaluate(node.object);
        const key = node.computed ? this.#evaluate(node.property) : literalKey(node.property, false);
        if (object === undefined || object === null) return node.optional ? undefined : UNKNOWN;
        return typeof key === 'string' || typeof key === 'number' ? this.#member(object, key) : UNKNOWN;
      }
      case 'UnaryExpression':
        return unary(node.operator, this.#evaluate(node.argument));
      case 'BinaryExpression':
        return binary(node.operator, this.#evaluate(node.left), this.#evaluate(node.right));
      case 'LogicalExpression':
      case 'ConditionalExpression': {
        const chosen = this.#choose(node);
        return chosen === null ? UNKNOWN : this.#evaluate(chosen);
      }
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ArrowFunctionExpression':
        return this.#function(node);
      case 'CallExpression':
        return this.#call(node);
      default:
        return UNKNOWN;
    }
  }

  /** The branch that a constant test selects; null when the test is not constant. */
  #choose(node: Node & { type: 'LogicalExpression' | 'ConditionalExpression' }): Node | null {
    const test = this.#evaluate(node.type === 'ConditionalExpression' ? node.test : node.left);
    if (test === UNKNOWN) return null;
    if (node.type === 'ConditionalExpression') return isTrue(test) ? node.consequent : node.alternate;
    const selectsLeft =
      node.operator === '??'
        ? test !== null && test !== undefined
        : isTrue(test) === (node.operator === '||');
    return selectsLeft ? node.left : node.right;
  }

  #template({ quasis, expressions }: Node & { type: 'TemplateLiteral' }): ScriptValue {
    let text = '';
    for (const [at, { value }] of quasis.entries()) {
      const expression = expressions[at];
      const inner = expression === undefined ? '' : this.#evaluate(expression);
      if (typeof value.cooked !== 'string' || !isPlain(inner)) return UNKNOWN;
      text += value.cooked + String(inner);
      if (text.length > MAX_JOINED_LENGTH) return UNKNOWN;
    }
    return text;
  }

  #list({ elements }: Node & { type: 'ArrayExpression' }): ScriptValue {
    const values: ScriptValue[] = [];
    for (const element of elements) {
      if (element?.type === 'SpreadElement') {
        const value = this.#evaluate(element.argument);
        if (!isList(value) || !this.#evaluation.mayCopy(value.length)) {
          values.push(UNKNOWN);
          continue;
        }
        for (const [at, item] of value.entries()) {
          this.#positions?.copy(value, at, values, values.length);
          values.push(item);
        }
      } else {
        this.#positions?.set(values, values.length, element === null ? null : this.#spanOf(element));
        values.push(element === null ? undefined : this.#evaluate(element));
      }
    }
    return values;
  }

  #object({ properties }: Node & { type: 'ObjectExpression' }): ScriptValue {
    const result: OpenObject = { entries: new Map(), isOpen: false };
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        this.#spread(property.argument, result);
        continue;
      }
      const written = literalKey(property.key, property.computed);
      const key = written ?? (property.computed ? this.#evaluate(property.key) : UNKNOWN);
      if (typeof key !== 'string' && typeof key !== 'number') this.#makeUnknown(result);
      else if (key === '__proto__' && !property.computed && this.#script.ahead === 0)
        this.#makeUnknown(result);
      else {
        const name = String(key);
        // A getter has the value that it returns; a setter alone leaves the property undefined.
        const value =
          property.kind === 'get' ? this.#result(property.value) : property.kind === 'set' ? undefined : null;
        result.entries.set(name, value === null ? this.#evaluate(property.value) : value);
        this.#positions?.set(
          result.entries,
          name,
          property.kind === 'init' ? this.#spanOf(property.value) : null,
        );
      }
    }
    return result;
  }

  #spread(expression: Node, into: OpenObject): void {
    const node = bareExpression(expression);
    if (node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') {
      const chosen = this.#choose(node);
      if (chosen !== null) this.#spread(chosen, into);
      else if (node.type === 'ConditionalExpression')
        this.#spreadConditionally([node.consequent, node.alternate], into);
      else if (node.operator === '&&') this.#spreadConditionally([node.right], into);
      else this.#makeUnknown(into);
      return;
    }
    const value = this.#evaluate(node);
    if (isScriptObject(value) && this.#evaluation.mayCopy(value.entries.size)) {
      if (value.isOpen) this.#makeUnknown(into);
      for (const [key, item] of value.entries) {
        into.entries.set(key, item);
        this.#positions?.copy(value.entries, key, into.entries, key);
      }
    } else if (typeof value === 'object' ? value !== null : isUnknown(value) || typeof value === 'string')
      this.#makeUnknown(into);
  }

  /** Spreads objects under an unknown condition: their keys may be set, with unknown values. */
  #spreadConditionally(expressions: readonly Node[], into: OpenObject): void {
    for (const expression of expressions) {
      const value = this.#evaluate(expression);
      if (isScriptObject(value) && !value.isOpen) {
        for (const key of value.entries.keys()) {
          into.entries.set(key, UNKNOWN);
          this.#positions?.set(into.entries, key, null);
        }
      } else if (isUnknown(value) || (typeof value === 'object' && value !== null)) this.#makeUnknown(into);
    }
  }

  /** Marks every entry of the object as unknown, and that it may have more. */
  #makeUnknown(result: OpenObject): void {
    result.isOpen = true;
    for (const key of result.entries.keys()) {
      result.entries.set(key, UNKNOWN);
      this.#positions?.set(result.entries, key, null);
    }
  }

  #member(value: ScriptValue, key: string | number): ScriptValue {
    if (isScriptObject(value)) {
      return !value.entries.has(String(key)) && String(key) in Object.prototype
        ? UNKNOWN
        : settingAt(value, String(key));
    }
    if (!isList(value)) return UNKNOWN;
    // An unknown item may be the result of a spread, so the indexes after it are not known.
    const isKnown = !value.includes(UNKNOWN);
    if (key === 'length' && isKnown) return value.length;
    const at = Number(key);
    return isKnown && Number.isInteger(at) && at >= 0 ? value[at] : UNKNOWN;
  }

  #function(node: Node): ScriptValue {
    // What a function inside of another one returns depends on the arguments of that.
    if (this.#arguments !== null) return UNKNOWN;
    const { ahead, text } = this.#script;
    return new ScriptFunction(
      text.slice(node.start - ahead, node.end - ahead),
      () => this.#remember(`function ${node.start}`, () => this.#result(node)),
      (values) => this.#resultFor(node, values),
    );
  }

  /** The value of a function without parameters that only returns a constant; otherwise unknown. */
  #result(node: Node): ScriptValue {
    const returned = isFunction(node) && node.params.length === 0 ? returnedBy(node) : null;
    return returned === null ? UNKNOWN : this.#evaluate(returned);
  }

  /** The value of a function that only returns an expression of its parameters and of constants; unknown for others, and for one that calls itself. */
  #resultFor(node: Node, values: readonly ScriptValue[]): ScriptValue {
    const returned = isFunction(node) ? returnedBy(node) : null;
    const mayCall = this.#evaluation.depth <= MAX_DEPTH && !this.#called.has(node);
    if (!isFunction(node) || returned === null || !mayCall) return UNKNOWN;
    const given = new Map<string, ScriptValue>();
    for (const [at, parameter] of node.params.entries()) {
      if (parameter.type !== 'Identifier') return UNKNOWN;
      given.set(parameter.name, values[at]);
    }
    this.#called.add(node);
    const value = this.#evaluateWith(given, () => this.#evaluate(returned));
    this.#called.delete(node);
    return value;
  }

  #call(node: Node & { type: 'CallExpression' }): ScriptValue {
    const callee = this.#calleeOf(bareExpression(node.callee));
    if (callee === null) return UNKNOWN;
    const [first] = node.arguments;
    if (callee instanceof ScriptFunction) {
      const given = /^async\b/.test(callee.text) ? null : this.#valuesOf(node);
      return given === null ? UNKNOWN : callee.call(given);
    }
    if (callee.name === 'require' && callee.source === null) {
      const specifier = first === undefined || first.type === 'SpreadElement' ? null : this.#evaluate(first);
      return typeof specifier === 'string' ? this.#imported(specifier, 'default') : UNKNOWN;
    }
    const values = this.#valuesOf(node);
    if (values === null) return UNKNOWN;
    const read = this.#evaluation.options.readCall?.(callee, values);
    if (read !== undefined && read !== UNKNOWN) return read;
    const isWrapper =
      WRAPPERS.test(callee.name) || callee.name === 'Object.freeze' || callee.name === 'require.resolve';
    return isWrapper && first !== undefined ? values[0] : UNKNOWN;
  }

  /** The arguments of a call; null where how many they are is not known. */
  #valuesOf(node: Node & { type: 'CallExpression' }): readonly ScriptValue[] | null {
    const values: ScriptValue[] = [];
    for (const argument of node.arguments) {
      if (argument.type === 'SpreadElement') return null;
      values.push(this.#evaluate(argument));
    }
    return values;
  }

  /** The called function: one of a module of the repository, or of a package; null for everything else. */
  #calleeOf(node: Node): ScriptCallee | ScriptFunction | null {
    if (node.type === 'MemberExpression' && !node.computed && node.object.type === 'Identifier') {
      const name = literalKey(node.property, false);
      const object = node.object.name;
      const binding = this.#bindings.get(object);
      if (name === null || (binding !== undefined && binding.kind !== 'import')) return null;
      const source = binding?.kind === 'import' ? binding.specifier : null;
      return source !== null && isRelative(source) ? null : { name: `${object}.${name}`, source };
    }
    if (node.type !== 'Identifier') return null;
    const { name } = node;
    const binding = this.#bindings.get(name);
    if (binding === undefined) return { name, source: null };
    if (this.#writes.reassigned.has(name)) return null;
    if (binding.kind === 'import' && !isRelative(binding.specifier))
      return { name, source: binding.specifier };
    const value = this.#name(name);
    if (value instanceof ScriptFunction) return value;
    const source = binding.kind === 'value' ? requiredPackage(binding.node) : null;
    return source === null ? null : { name, source };
  }

  /** The span of a string literal, without its quotes; null for other expressions. */
  #spanOf(expression: Node): ValueSpan | null {
    const node = bareExpression(expression);
    const isText =
      (node.type === 'Literal' && typeof node.value === 'string') ||
      (node.type === 'TemplateLiteral' && node.expressions.length === 0);
    const { ahead } = this.#script;
    return isText ? { start: node.start + 1 - ahead, end: node.end - 1 - ahead } : null;
  }
}

interface OpenObject extends ScriptObject {
  readonly entries: Map<string, ScriptValue>;
  isOpen: boolean;
}

type FunctionNode = Node & {
  type: 'ArrowFunctionExpression' | 'FunctionExpression' | 'FunctionDeclaration';
};

function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

/** The expression that a function returns and that is all it does; null for others. */
function returnedBy({ body, generator }: FunctionNode): Node | null {
  if (generator || body === null) return null;
  if (body.type !== 'BlockStatement') return body;
  const [first] = body.body;
  return first?.type === 'ReturnStatement' ? first.argument : null;
}

function declaredNames(declaration: Node): readonly string[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => namesOf(id));
  const isNamed = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
  return isNamed && declaration.id !== null ? [declaration.id.name] : [];
}

function nameOf(node: Node): string | null {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/** The package of `require('package')`. */
function requiredPackage(node: Node | null): string | null {
  const call = node === null ? null : bareExpression(node);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'require')
    return null;
  const [specifier] = call.arguments;
  const isPackage =
    specifier?.type === 'Literal' && typeof specifier.value === 'string' && !isRelative(specifier.value);
  return isPackage ? String(specifier.value) : null;
}

function isPlain(value: ScriptValue): value is string | number | boolean | null | undefined {
  return value !== UNKNOWN && (typeof value !== 'object' || value === null);
}

function isTrue(value: ScriptValue): boolean {
  return Boolean(value);
}

function unary(operator: string, value: ScriptValue): ScriptValue {
  if (operator === 'void') return undefined;
  if (value === UNKNOWN) return UNKNOWN;
  if (operator === '!') return !isTrue(value);
  if (typeof value !== 'number') return UNKNOWN;
  return operator === '-' ? -value : operator === '+' ? value : UNKNOWN;
}

function binary(operator: string, left: ScriptValue, right: ScriptValue): ScriptValue {
  if (!isPlain(left) || !isPlain(right)) return UNKNOWN;
  if (operator === '===' || operator === '!==') return (left === right) === (operator === '===');
  if (operator !== '+') return UNKNOWN;
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left !== 'string' && typeof right !== 'string') return UNKNOWN;
  const text = `${left}${right}`;
  return text.length > MAX_JOINED_LENGTH ? UNKNOWN : text;
}
