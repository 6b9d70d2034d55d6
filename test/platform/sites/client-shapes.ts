/** The fields that the platform's published client takes for granted, by the `object` of what it reads. */
export const clientFields: Readonly<Record<string, readonly string[]>> = {
  site: [
    'id',
    'type',
    'title',
    'visibility',
    'published',
    'siteSpaces',
    'createdAt',
    'agentsContext',
    'features',
    'urls.location',
    'urls.app',
  ],
  'site-section': ['id', 'title', 'path', 'siteSpaces', 'urls'],
  'site-section-group': ['id', 'title', 'sections', 'children'],
  'site-space': ['id', 'path', 'space', 'title', 'urls'],
  'share-link': ['id', 'createdAt', 'urls'],
  'site-redirect': ['id', 'source', 'destination.kind'],
  'site-adaptive-schema': ['jsonSchema.type', 'jsonSchema.properties', 'updatedAt'],
  'publishing-auth': ['privateKey', 'backend'],
  'published-content-site': [
    'site',
    'structure.type',
    'structure.structure',
    'customizations.site.styling.theme',
    'customizations.site.styling.primaryColor.light',
    'customizations.site.styling.infoColor.dark',
    'customizations.site.styling.font',
    'customizations.site.styling.monospaceFont',
    'customizations.site.styling.sidebar.list',
    'customizations.site.internationalization.locale',
    'customizations.site.favicon',
    'customizations.site.header.links',
    'customizations.site.footer.groups',
    'customizations.site.themes.toggeable',
    'customizations.site.pageActions.mcp',
    'customizations.site.insights.trackingCookie',
    'customizations.siteSpaces',
    'scripts',
  ],
};

/** The required fields that are missing anywhere in an answer, each with where it should be. */
export function missingFields(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => missingFields(item, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const { object } = value as { object?: string };
  const own = clientFields[object ?? ''] ?? [];
  return [
    ...own.filter((path) => read(value, path) === undefined).map((path) => `${at}/${path}`),
    ...Object.entries(value).flatMap(([name, inner]) => missingFields(inner, `${at}/${name}`)),
  ];
}

function read(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}
