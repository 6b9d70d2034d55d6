import type { ImportDeclaration, Node } from 'oxc-parser';
import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { TreeIndex } from '../../tree/index.ts';
import { childrenOf, literalKey, type ParsedScript, parseScript } from './parse-script.ts';
import { findImported, isRelative } from './script-files.ts';

/** Settings that decide what readers see around the pages, but not which pages there are. */
const SURROUNDINGS =
  /^(?:sidebar|sidebars|sidebarPath|nav|navbar|footer|head|title|tagline|description|social|socialLinks|logo|editLink|editUrl|announcementBar|search|algolia|carbonAds|copyright)$/;

/** A configuration reads its package's version here, which every release changes, and makes no pages of it. */
const NAMES_VERSION = /(?:^|\/)package\.json$/;

/** Modules of one configuration beyond this number are not compared. */
const MAX_MODULES = 100;

/**
 * Identifies what a configuration may generate: its code without the navigation and what only that uses, the modules and
 * files that it names, and the files of the space that `isRoute` accepts. `index` is that of the tree in question.
 */
export function scriptGenerator(
  space: Pick<SpaceInput, 'text' | 'entries'>,
  index: TreeIndex,
  config: RepoPath,
  isRoute: (path: RepoPath) => boolean,
): string {
  const parts = new Map<RepoPath, string>();
  const open: { readonly path: RepoPath; readonly names: readonly string[] | null }[] = [
    { path: config, names: null },
  ];
  for (let next = open.pop(); next !== undefined && parts.size < MAX_MODULES; next = open.pop()) {
    const { path, names } = next;
    if (parts.has(path) || NAMES_VERSION.test(path)) continue;
    const script = /\.[cm]?[jt]sx?$/.test(path) ? parseScript(space.text(path) ?? '') : null;
    if (script === null) {
      parts.set(path, index.entry(path)?.oid ?? '');
      continue;
    }
    const { text, imports } = generatingCode(script, names);
    parts.set(path, text);
    for (const { specifier, names: imported } of imports) {
      const module = isRelative(specifier) ? findImported({ index }, path, specifier) : null;
      if (module !== null) open.push({ path: module, names: imported });
    }
  }
  const routes = space.entries.filter((entry) => isRoute(entry.path));
  return [
    ...[...parts].map(([path, text]) => `${path} ${text}`),
    ...routes.map(({ path }) => `${path} ${index.entry(path)?.oid ?? ''}`),
  ]
    .sort()
    .join('\n');
}

interface Statement {
  readonly text: string;
  /** The names that it declares. */
  readonly names: readonly string[];
  readonly isImport: boolean;
  readonly isRoot: boolean;
  readonly specifier: string | null;
}

/** The statements that decide what is exported under `names` (everything when null), without the navigation. */
function generatingCode(script: ParsedScript, names: readonly string[] | null) {
  const statements = script.program.body.map((node) => statementOf(script, node, names));
  const used = new Set(statements.filter(({ isRoot }) => isRoot));
  for (let before = -1; before !== used.size; ) {
    before = used.size;
    const code = [...used].map(({ text }) => text).join('\n');
    const words = new Set(code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
    for (const statement of statements) {
      if (statement.names.some((name) => words.has(name))) used.add(statement);
    }
  }
  const code = statements.filter((statement) => used.has(statement));
  const text = code
    .map((statement) => statement.text)
    .join('\n')
    .replace(/\s+/g, ' ');
  const imports = code.flatMap(({ specifier, isImport, names: imported }) =>
    specifier === null ? [] : [{ specifier, names: isImport ? imported : null }],
  );
  const named = [...text.matchAll(/['"`](\.{1,2}\/[^'"`\n]{1,300})['"`]/g)];
  return { text, imports: [...imports, ...named.map(([, path = '']) => ({ specifier: path, names: null }))] };
}

function statementOf(script: ParsedScript, node: Node, wanted: readonly string[] | null): Statement {
  const text = withoutSurroundings(script, node);
  if (node.type === 'ImportDeclaration') {
    return { text, names: importedNames(node), isImport: true, isRoot: false, specifier: node.source.value };
  }
  const isNamed = node.type === 'ExportNamedDeclaration';
  const names = declaredNames(isNamed ? (node.declaration ?? node) : node);
  const specifier =
    (isNamed || node.type === 'ExportAllDeclaration') && node.source !== null ? node.source.value : null;
  const isExport = isNamed && names.length > 0;
  const isRoot = isExport
    ? wanted === null || names.some((name) => wanted.includes(name))
    : names.length === 0 || node.type === 'ExportDefaultDeclaration';
  return { text, names, isImport: false, isRoot, specifier };
}

function importedNames({ specifiers }: ImportDeclaration): readonly string[] {
  return specifiers.flatMap((specifier) => {
    const imported = specifier.type === 'ImportSpecifier' ? literalKey(specifier.imported, false) : null;
    return [specifier.local.name, ...(imported === null ? [] : [imported])];
  });
}

function declaredNames(node: Node): readonly string[] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
    return node.id === null ? [] : [node.id.name];
  if (node.type !== 'VariableDeclaration') return [];
  const names: string[] = [];
  const visit = (part: Node) => {
    if (part.type === 'Identifier') names.push(part.name);
    else for (const child of childrenOf(part)) visit(child);
  };
  for (const { id } of node.declarations) visit(id);
  return names;
}

/** The text of a node without the values of settings that only surround pages. */
function withoutSurroundings({ text, ahead }: ParsedScript, node: Node): string {
  let kept = '';
  let from = node.start;
  const visit = (part: Node) => {
    const name = part.type === 'Property' ? literalKey(part.key, part.computed) : null;
    if (name !== null && SURROUNDINGS.test(name)) {
      kept += text.slice(from - ahead, part.start - ahead);
      from = part.end;
      return;
    }
    for (const child of childrenOf(part)) visit(child);
  };
  visit(node);
  return kept + text.slice(from - ahead, node.end - ahead);
}
