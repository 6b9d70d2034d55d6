import Type, { type Static, type TSchema } from 'typebox';
import { Formed, Id } from '../scalars.ts';
import { SiteTitle, ThemedUrl } from './site.ts';

const closed = { additionalProperties: false };
const choice = <const Value extends string>(...values: Value[]) => Type.Enum(values, { type: 'string' });
const switched = Type.Object({ enabled: Type.Boolean() }, closed);

/** An address on the Web: readers' browsers follow it, so no other scheme may be in it. */
const WebUrl = Formed('^https?://[^\\s"\'<>\\\\]+$', 'must be an http or https address', {
  format: 'uri',
  maxLength: 2048,
});

export const Color = Formed('^#(?:[0-9a-fA-F]{3}){1,2}$', 'must be a color such as #06c or #0066cc');
const ThemedColor = Type.Object({ light: Color, dark: Color }, closed);

const oneLine = (maxLength: number, minLength = 0) =>
  Formed('^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$', 'must be one line', { minLength, maxLength });

/** What a link of a site leads to. */
export const ContentRef = Type.Union([
  Type.Object({ kind: Type.Literal('url'), url: WebUrl }, closed),
  Type.Object({ kind: Type.Literal('page'), page: Id, space: Type.Optional(Id) }, closed),
  Type.Object(
    {
      kind: Type.Literal('anchor'),
      anchor: Type.String({ maxLength: 512 }),
      page: Type.Optional(Id),
      space: Type.Optional(Id),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal('space'), space: Id }, closed),
  Type.Object({ kind: Type.Literal('file'), file: Id, space: Type.Optional(Id) }, closed),
  Type.Object({ kind: Type.Literal('openapi'), spec: Type.String({ maxLength: 100 }) }, closed),
]);

const ContentLink = Type.Object({ title: oneLine(64), to: ContentRef }, closed);

const HeaderItem = Type.Object(
  {
    title: oneLine(64),
    style: Type.Optional(choice('link', 'button-primary', 'button-secondary')),
    to: Type.Union([ContentRef, Type.Null()]),
    links: Type.Array(ContentLink, { maxItems: 30 }),
    condition: Type.Optional(Type.String({ maxLength: 1024 })),
  },
  closed,
);

const FooterGroup = Type.Object(
  { title: oneLine(64), links: Type.Array(ContentLink, { maxItems: 30 }) },
  closed,
);

const Favicon = Type.Union([
  Type.Object({ icon: ThemedUrl }, closed),
  Type.Object({ emoji: Type.String({ maxLength: 50 }) }, closed),
  Type.Object({}, closed),
]);

const FontDefinition = Type.Object(
  {
    id: Type.String({ maxLength: 100 }),
    custom: Type.Boolean(),
    fontFamily: Formed('^[A-Za-z0-9 _-]+$', 'must be letters, digits and spaces', { maxLength: 50 }),
    fontFaces: Type.Array(
      Type.Object(
        {
          weight: Type.Integer({ minimum: 1, maximum: 1000 }),
          sources: Type.Array(
            Type.Object({ url: WebUrl, format: Type.Optional(choice('woff2', 'woff')) }, closed),
            { minItems: 1, maxItems: 4 },
          ),
          style: Type.Optional(choice('normal', 'italic')),
        },
        closed,
      ),
      { minItems: 1, maxItems: 20 },
    ),
  },
  closed,
);

const fonts = choice(
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
);
const monospaceFonts = choice(
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
);

const Announcement = Type.Object(
  {
    enabled: Type.Boolean(),
    message: oneLine(128, 2),
    link: Type.Optional(ContentLink),
    style: choice('info', 'warning', 'danger', 'success'),
  },
  closed,
);

/** How a site looks and what it offers; each field has a default. */
export const SiteCustomization = Type.Object(
  {
    title: Type.Optional(SiteTitle),
    styling: Type.Object(
      {
        theme: choice('clean', 'muted', 'bold', 'gradient'),
        primaryColor: ThemedColor,
        tint: Type.Optional(Type.Object({ color: ThemedColor }, closed)),
        infoColor: ThemedColor,
        successColor: ThemedColor,
        warningColor: ThemedColor,
        dangerColor: ThemedColor,
        corners: choice('straight', 'rounded', 'circular'),
        depth: choice('subtle', 'flat'),
        links: choice('default', 'accent'),
        font: Type.Union([fonts, FontDefinition]),
        monospaceFont: Type.Union([monospaceFonts, FontDefinition]),
        background: choice('plain', 'match'),
        icons: choice('regular', 'solid', 'duotone', 'light', 'thin'),
        sidebar: Type.Object(
          { background: choice('default', 'filled'), list: choice('default', 'pill', 'line') },
          closed,
        ),
        search: choice('prominent', 'subtle'),
      },
      closed,
    ),
    internationalization: Type.Object(
      { locale: choice('en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru') },
      closed,
    ),
    favicon: Favicon,
    header: Type.Object(
      {
        preset: choice('default', 'bold', 'contrast', 'custom', 'none'),
        logo: Type.Optional(ThemedUrl),
        showLogo: Type.Optional(
          Type.Boolean({
            description:
              'Whether the logo stands in the place of the title, as by default: with false, a space of a site leaves out the logo of its site. Answers always have it. An extension.',
          }),
        ),
        backgroundColor: Type.Optional(ThemedColor),
        linkColor: Type.Optional(ThemedColor),
        links: Type.Array(HeaderItem, { maxItems: 30 }),
      },
      closed,
    ),
    footer: Type.Object(
      {
        logo: Type.Optional(ThemedUrl),
        groups: Type.Array(FooterGroup, { maxItems: 20 }),
        copyright: Type.Optional(oneLine(300)),
      },
      closed,
    ),
    announcement: Type.Optional(Announcement),
    themes: Type.Object(
      {
        default: choice('light', 'dark'),
        toggeable: Type.Boolean(),
        system: Type.Optional(
          Type.Boolean({
            description:
              'Whether readers see the theme of their system instead of `default`; when absent, as long as nobody chose `default`. Answers always have it. An extension.',
          }),
        ),
      },
      closed,
    ),
    pdf: switched,
    feedback: switched,
    ai: Type.Object({ mode: choice('none', 'search', 'assistant') }, closed),
    advancedCustomization: switched,
    git: Type.Object({ showEditLink: Type.Boolean() }, closed),
    pageActions: Type.Object(
      { externalAI: Type.Boolean(), markdown: Type.Boolean(), mcp: Type.Boolean() },
      closed,
    ),
    externalLinks: Type.Object({ target: choice('self', 'blank') }, closed),
    pagination: switched,
    tryIt: Type.Optional(
      Type.Object(
        {
          enabled: Type.Boolean({
            description:
              'Whether readers may send requests from API operations to their servers; when absent, on sites that everybody may read. An extension.',
          }),
        },
        closed,
      ),
    ),
    trademark: switched,
    privacyPolicy: Type.Object({ url: Type.Optional(WebUrl) }, closed),
    socialPreview: Type.Object({ url: Type.Optional(WebUrl) }, closed),
    insights: Type.Object({ trackingCookie: Type.Boolean() }, closed),
  },
  { $id: 'SiteCustomization', ...closed },
);
export type SiteCustomization = Static<typeof SiteCustomization>;

/** The same object with every field left out or, to take it back, null. Unions, lists and leaves stay whole. */
function overridable(schema: TSchema): TSchema {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  if (properties === undefined || isWhole(properties)) return Type.Union([schema, Type.Null()]);
  const fields = Object.entries(properties).map(([name, field]) => [name, Type.Optional(overridable(field))]);
  return Type.Object(Object.fromEntries(fields), closed);
}

/** Colors, pictures, announcements and the like are set as one. */
function isWhole(properties: Readonly<Record<string, TSchema>>): boolean {
  return ['light', 'message', 'color'].some((name) => name in properties);
}

const { $id: _name, ...plain } = SiteCustomization as typeof SiteCustomization & { $id: string };

/** What of the look of a site, or of a space in it, is to differ; null takes a field back to what it was. */
export const CustomizationChange = Type.Unsafe<Readonly<Record<string, unknown>>>(
  overridable(plain as TSchema),
);
