import type { Node, Program } from 'oxc-parser';
import { bareExpression, childrenOf } from './parse-script.ts';

/** How a module changes its own variables, including changes inside functions. */
export interface Writes {
  /** Names that are assigned again after their declaration. */
  readonly reassigned: ReadonlySet<string>;
  /** Names of lists and objects that are changed. */
  readonly changed: ReadonlySet<string>;
  /** Assignments to `module.exports`, and to properties of it or of `exports`. */
  readonly exported: readonly ExportAssignment[];
}

export interface ExportAssignment {
  /** Null for `module.exports` itself. */
  readonly name: string | null;
  readonly value: Node;
  /** Whether it is a top-level statement, which is executed exactly once. */
  readonly isCertain: boolean;
}

/** Methods of lists and objects that do not change them. */
const READ_METHODS =
  /^(?:at|concat|endsWith|entries|every|filter|find|findIndex|flat|flatMap|hasOwnProperty|includes|indexOf|join|keys|map|match|reduce|repeat|replace|replaceAll|slice|some|split|startsWith|substring|test|toLowerCase|toSorted|toReversed|toString|toUpperCase|trim|values)$/;

/**
 * The names of an inner scope → the expression of the value, or of the list whose items they loop over; null if
 * unknown.
 */
type Scope = ReadonlyMap<string, Node | null>;

export function findWrites(program: Program): Writes {
  const finder = new WriteFinder();
  for (const statement of program.body) finder.visitStatement(statement);
  finder.propagateChanges(program);
  return finder;
}

class WriteFinder implements Writes {
  readonly reassigned = new Set<string>();
  readonly changed = new Set<string>();
  readonly exported: ExportAssignment[] = [];
  #declaration: Node | null = null;

  /** Visits a top-level statement. */
  visitStatement(node: Node): void {
    const expression = node.type === 'ExpressionStatement' ? bareExpression(node.expression) : null;
    if (expression?.type === 'AssignmentExpression' && expression.operator === '=') {
      const name = exportName(expression.left);
      if (name !== undefined) {
        this.exported.push({ name, value: expression.right, isCertain: true });
        this.#visit(expression.right, []);
        return;
      }
    }
    this.#declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    this.#visit(node, []);
  }

  /** A change through one variable also changes the variables in its initializer, which may be the same object. */
  propagateChanges(program: Program): void {
    const declarators = program.body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      return declaration?.type === 'VariableDeclaration' ? declaration.declarations : [];
    });
    for (let size = -1; size < this.changed.size; ) {
      size = this.changed.size;
      for (const { id, init } of declarators) {
        if (init === null || !namesOf(id).some((name) => this.changed.has(name))) continue;
        for (const name of namesIn(init)) this.changed.add(name);
      }
    }
  }

  #visit(node: Node, scopes: readonly Scope[]): void {
    const inner = scopeOf(node);
    const within = inner.size === 0 ? scopes : [...scopes, inner];
    switch (node.type) {
      case 'AssignmentExpression': {
        const name = exportName(node.left);
        if (name !== undefined) this.exported.push({ name, value: node.right, isCertain: false });
        else this.#assign(node.left, within);
        break;
      }
      case 'UpdateExpression':
        this.#assign(node.argument, within);
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') this.#assign(node.left, within);
        break;
      case 'VariableDeclaration':
        // `var` is visible outside its block.
        if (node.kind === 'var' && node !== this.#declaration)
          for (const { id } of node.declarations) this.#assign(id, scopes);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#change(node.argument, within);
        break;
      case 'ExpressionStatement':
        this.#visitCallStatement(bareExpression(node.expression), within);
        break;
      case 'CallExpression':
        this.#visitMethodCall(node, within);
        break;
    }
    for (const child of childrenOf(node)) this.#visit(child, within);
  }

  /** A function that is called as a statement may change its arguments. */
  #visitCallStatement(expression: Node, scopes: readonly Scope[]): void {
    const node =
      expression.type === 'AwaitExpression' || expression.type === 'UnaryExpression'
        ? bareExpression(expression.argument)
        : expression;
    if (node.type !== 'CallExpression' || rootOf(node.callee) === 'console') return;
    for (const argument of node.arguments) {
      this.#change(argument.type === 'SpreadElement' ? argument.argument : argument, scopes);
    }
  }

  #visitMethodCall(node: Node & { type: 'CallExpression' }, scopes: readonly Scope[]): void {
    const callee = bareExpression(node.callee);
    if (callee.type !== 'MemberExpression') return;
    const name = callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : '';
    const root = rootOf(callee.object);
    const [first] = node.arguments;
    if (root === 'Object' || root === 'Reflect') {
      if (/^(?:assign|define|set|delete)/.test(name) && first !== undefined) this.#change(first, scopes);
    } else if (!READ_METHODS.test(name)) this.#change(callee.object, scopes);
  }

  #assign(target: Node, scopes: readonly Scope[]): void {
    const bare = bareExpression(target);
    if (bare.type === 'MemberExpression') this.#change(bare, scopes);
    else for (const name of namesOf(bare)) if (!isInner(scopes, name)) this.reassigned.add(name);
  }

  #change(target: Node, scopes: readonly Scope[]): void {
    const name = rootOf(target);
    if (name === null) return;
    const at = scopes.findLastIndex((scope) => scope.has(name));
    if (at === -1) {
      this.changed.add(name);
      return;
    }
    const origin = scopes[at]?.get(name);
    if (origin === null || origin === undefined) return;
    for (const source of namesIn(origin)) {
      if (source !== name && !isInner(scopes, source)) this.changed.add(source);
    }
  }
}

function isInner(scopes: readonly Scope[], name: string): boolean {
  return scopes.some((scope) => scope.has(name));
}

/** The names that a node declares for the nodes inside it. */
function scopeOf(node: Node): Scope {
  const names = new Map<string, Node | null>();
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (node.type === 'FunctionExpression' && node.id !== null) names.set(node.id.name, null);
      for (const parameter of node.params) for (const name of namesOf(parameter)) names.set(name, null);
      if (node.body !== null) addVariables(node.body, names);
      break;
    case 'BlockStatement':
    case 'StaticBlock':
      for (const statement of node.body) addDeclared(statement, names);
      break;
    case 'SwitchStatement':
      for (const { consequent } of node.cases)
        for (const candidate of consequent) addDeclared(candidate, names);
      break;
    case 'ForStatement':
      if (node.init !== null) addDeclared(node.init, names);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      if (node.left.type === 'VariableDeclaration' && node.left.kind !== 'var')
        for (const { id } of node.left.declarations)
          for (const name of namesOf(id)) names.set(name, node.right);
      break;
    case 'CatchClause':
      if (node.param !== null) for (const name of namesOf(node.param)) names.set(name, null);
      break;
  }
  return names;
}

function addDeclared(statement: Node, names: Map<string, Node | null>): void {
  if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
    for (const { id, init } of statement.declarations) for (const name of namesOf(id)) names.set(name, init);
  }
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') {
    if (statement.id !== null) names.set(statement.id.name, null);
  }
}

/** Adds the variables of a function that are declared with `var` in any block. */
function addVariables(node: Node, names: Map<string, Node | null>): void {
  if (isFunction(node)) return;
  if (node.type === 'VariableDeclaration' && node.kind === 'var') {
    for (const { id, init } of node.declarations) for (const name of namesOf(id)) names.set(name, init);
  }
  for (const child of childrenOf(node)) addVariables(child, names);
}

function isFunction({ type }: Node): boolean {
  return (
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  );
}

/** The names that a pattern binds. */
export function namesOf(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesOf(property.type === 'RestElement' ? property : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesOf(element)));
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    case 'TSParameterProperty':
      return namesOf(pattern.parameter);
    default:
      return [];
  }
}

/** The variable at the beginning of a chain of member accesses; null when there is none. */
function rootOf(node: Node): string | null {
  let bare = bareExpression(node);
  while (bare.type === 'MemberExpression') bare = bareExpression(bare.object);
  return bare.type === 'Identifier' ? bare.name : null;
}

/** The variables from which an expression may get its value. */
function namesIn(node: Node): readonly string[] {
  if (node.type === 'Identifier') return [node.name];
  if (isFunction(node)) return [];
  if (node.type === 'MemberExpression' && !node.computed) return namesIn(node.object);
  if (node.type === 'Property') return namesIn(node.value);
  return [...childrenOf(node)].flatMap(namesIn);
}

/** The name that an assignment exports; null for `module.exports`, undefined when it exports nothing. */
function exportName(target: Node): string | null | undefined {
  const bare = bareExpression(target);
  if (bare.type !== 'MemberExpression') return undefined;
  const name = bare.property.type === 'Identifier' && !bare.computed ? bare.property.name : undefined;
  const object = bareExpression(bare.object);
  if (object.type === 'Identifier' && object.name === 'module' && name === 'exports') return null;
  const isExports = object.type === 'Identifier' && object.name === 'exports';
  return isExports || exportName(object) === null ? name : undefined;
}
