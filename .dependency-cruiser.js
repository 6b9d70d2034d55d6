/**
 * Proves the arrows between the rooms of src/ (docs/architecture.md draws them).
 * A room that is not listed may import nothing of ours; adding a room means adding its row here.
 */
const rooms = {
  content: [],
  openapi: ['content'],
  threads: ['content'],
  config: ['content'],
  contract: [],
  conversations: ['content'],
  git: [],
  store: ['net'],
  queue: ['store'],
  net: [],
  identity: ['store', 'net', 'queue'],
  client: ['contract', 'net'],
  platform: [
    'contract',
    'content',
    'conversations',
    'openapi',
    'config',
    'git',
    'store',
    'queue',
    'net',
    'identity',
    'threads',
  ],
  github: ['client', 'content', 'config', 'git', 'store', 'queue', 'threads'],
  sync: ['client', 'content', 'openapi', 'config', 'github', 'net', 'queue', 'store', 'threads'],
  markup: [],
  sites: ['markup', 'content', 'threads', 'platform', 'store', 'identity'],
  web: ['markup', 'client', 'platform', 'identity', 'content', 'config', 'threads'],
  sandbox: [],
};

/**
 * The layers of src/content, from the bottom up: each may import only those above it in this list. The engine's public
 * door, src/content/index.ts, stands over all of them.
 */
const layers = [
  'model',
  'text',
  'yaml',
  'toml',
  'tree',
  'parse',
  'facts',
  'format-port',
  'links',
  'pages',
  'fix',
  'dialect',
  'formats',
  'engine',
  'render',
  'ignore',
  'move',
  'compare',
  'report',
  'translation',
  'search',
  'expressions',
  'glossary',
  'anchors',
  'diff',
];

/** Folders with an index of their own: outsiders import that file and no other. */
const doors = [
  'client',
  'config',
  'content',
  ...layers.map((layer) => `content/${layer}`),
  'contract',
  'conversations',
  'git',
  'github',
  'identity',
  'markup',
  'net',
  'openapi',
  'platform',
  'queue',
  'sandbox',
  'server',
  'server/config',
  'sites',
  'store',
  'sync',
  'threads',
  'web',
];

/** What of a room may be imported by the other rooms. */
const throughTheDoor = [...new Set(doors.map((door) => door.split('/')[0]))].map((room) => ({
  name: `${room}-through-its-index`,
  severity: 'error',
  comment: `Other rooms import ${doors
    .filter((door) => door.split('/')[0] === room)
    .map((door) => `src/${door}/index.ts`)
    .join(' or ')} only; export there what they need.`,
  from: { path: '^src/', pathNot: `^src/${room}/` },
  to: {
    path: `^src/${room}/`,
    pathNot: doors.filter((door) => door.split('/')[0] === room).map((door) => `^src/${door}/index\\.ts$`),
  },
}));

/** What a layer of src/content may import: the indexes of the layers below it. */
const layered = layers.flatMap((layer, at) => [
  {
    name: `content-${layer}-uses-only-layers-below`,
    severity: 'error',
    comment: `src/content/${layer} may import from ${layers.slice(0, at).join(', ') || 'no other layer'} only.`,
    from: { path: `^src/content/${layer}/` },
    to: { path: '^src/content/', pathNot: `^src/content/(${layers.slice(0, at + 1).join('|')})/` },
  },
  {
    name: `content-${layer}-through-its-index`,
    severity: 'error',
    comment: `Import src/content/${layer}/index.ts; export there what other layers need.`,
    from: { path: '^src/content/', pathNot: `^src/content/${layer}/` },
    to: { path: `^src/content/${layer}/`, pathNot: `^src/content/${layer}/index\\.ts$` },
  },
]);

/**
 * The layers of src/github, from the bottom up: calls to GitHub, what a repository declares, the webhook route with its
 * jobs, and the use cases, which may build on those before them. github-app.ts puts them together.
 */
const githubLayers = [
  'api',
  'repository',
  'webhooks',
  'registration',
  'questions',
  'onboarding',
  'pull-request',
  'push',
  'reconcile',
  'installation',
];

const githubLayered = githubLayers.flatMap((layer, at) => [
  {
    name: `github-${layer}-uses-only-layers-below`,
    severity: 'error',
    comment: `src/github/${layer} may import from ${githubLayers.slice(0, at).join(', ') || 'no other layer'} only.`,
    from: { path: `^src/github/${layer}/` },
    to: { path: '^src/github/', pathNot: `^src/github/(${githubLayers.slice(0, at + 1).join('|')})/` },
  },
  {
    name: `github-${layer}-through-its-index`,
    severity: 'error',
    comment: `Import src/github/${layer}/index.ts; export there what other layers need.`,
    from: { path: '^src/github/', pathNot: `^src/github/${layer}/` },
    to: { path: `^src/github/${layer}/`, pathNot: `^src/github/${layer}/index\\.ts$` },
  },
]);

/** The kinds of scheduled work in src/sync, each with the ones that it may import. */
const syncAreas = {
  'api-check': ['openapi'],
  'comment-mirror': [],
  conversations: [],
  exports: ['comment-mirror'],
  'external-links': [],
  openapi: [],
  translations: [],
};

const syncSeparated = Object.entries(syncAreas).map(([area, uses]) => ({
  name: `sync-${area}-stands-alone`,
  severity: 'error',
  comment: `src/sync/${area} may import from ${uses.join(', ') || 'no other folder of src/sync'} only; what several need belongs beside the folders.`,
  from: { path: `^src/sync/${area}/` },
  to: { path: '^src/sync/[^/]+/', pathNot: `^src/sync/(${[area, ...uses].join('|')})/` },
}));

/** Rooms that put the others together, so they may use all of them. */
const composers = ['server', 'cli'];

const arrows = Object.entries(rooms).map(([room, uses]) => ({
  name: `${room}-uses-only-${uses.join('-') || 'itself'}`,
  severity: 'error',
  comment: `src/${room} may import from ${[room, ...uses].join(', ')} only; see docs/architecture.md`,
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [`^src/(${[room, ...uses].join('|')})/`] },
}));

export default {
  forbidden: [
    ...arrows,
    ...throughTheDoor,
    ...layered,
    ...githubLayered,
    ...syncSeparated,
    {
      name: 'every-sync-area-has-a-row',
      severity: 'error',
      comment: 'A folder of src/sync/ without a row in .dependency-cruiser.js may import any other.',
      from: { path: '^src/sync/[^/]+/', pathNot: `^src/sync/(${Object.keys(syncAreas).join('|')})/` },
      to: {},
    },
    {
      name: 'every-layer-has-a-place',
      severity: 'error',
      comment: 'A folder of src/content/ that is not in the list of layers has no order to prove.',
      from: { path: '^src/content/', pathNot: `^src/content/(?:(?:${layers.join('|')})/|index\\.ts$)` },
      to: {},
    },
    {
      name: 'every-room-has-a-row',
      severity: 'error',
      comment: 'A folder of src/ without a row in .dependency-cruiser.js has no arrows to prove.',
      from: {
        path: '^src/',
        pathNot: [
          `^src/(${[...Object.keys(rooms), ...composers].join('|')})/`,
          '^src/build-(assets|bundle|editor)',
        ],
      },
      to: {},
    },
    {
      name: 'content-is-pure',
      severity: 'error',
      comment: 'The content engine does no I/O: bytes come in, findings go out.',
      from: { path: '^src/content/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(path/posix|url|buffer)$' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Type imports count: what two files need of each other belongs into a third.',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-dev-dependency-in-product',
      severity: 'error',
      // What src/web/editor imports is bundled when Docloom is built.
      from: {
        path: '^src/',
        pathNot: ['^src/build-(assets|bundle|editor)', 'drizzle\\.config', '^src/web/editor/'],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
