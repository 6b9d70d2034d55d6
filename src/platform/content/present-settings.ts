import { createHash } from 'node:crypto';
import type { PageResource, ReferenceResource } from '../../contract/index.ts';
import type { PageRow, StoredTarget } from '../../store/index.ts';
import type { Presentation } from './presentation.ts';
import { referenceInto } from './reference-into.ts';

type Settings = Pick<PageResource, 'layout' | 'cover' | 'variables' | 'computed' | 'computedSeed'>;

type Layout = NonNullable<PageResource['layout']>;

/** What a page shows of itself unless its front matter says otherwise. */
const defaultLayout: Layout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

/** The presentation settings of a page's file; settings that the file does not have are absent, but for the layout. */
export function presentSettings({ type, settings }: PageRow, view: Presentation): Settings {
  const { layout, cover, variables, computed } = settings ?? {};
  const toReference = (target: StoredTarget): ReferenceResource =>
    'file' in target
      ? { kind: 'file', ...referenceInto(view), file: target.file }
      : { kind: 'url', url: target.url };
  return {
    ...(type === 'document'
      ? { layout: { ...defaultLayout, ...(layout as Partial<Layout> | undefined) } }
      : {}),
    ...(cover === undefined
      ? {}
      : {
          cover: {
            ref: toReference(cover.ref),
            ...(cover.refDark === undefined ? {} : { refDark: toReference(cover.refDark) }),
            yPos: cover.yPos ?? 0,
            ...(cover.height === undefined ? {} : { height: cover.height }),
          },
        }),
    ...(variables === undefined ? {} : { variables }),
    ...(computed === undefined
      ? {}
      : { computed: presentComputed(computed), computedSeed: seedOf(computed, view.madeFrom) }),
  };
}

type StoredComputed = NonNullable<NonNullable<PageRow['settings']>['computed']>;

function presentComputed({
  type,
  dependencies = {},
  props,
}: StoredComputed): NonNullable<PageResource['computed']> {
  const known = Object.entries(dependencies).filter(([, { kind }]) => kind === 'openapi');
  return {
    type: type as NonNullable<PageResource['computed']>['type'],
    ...(known.length === 0
      ? {}
      : {
          dependencies: Object.fromEntries(
            known.map(([name, { spec }]) => [
              name,
              { ref: { kind: 'openapi' as const, ...(spec === undefined ? {} : { spec }) } },
            ]),
          ),
        }),
    // Clients rely on `models`; a page lists the operations alone unless its settings say otherwise.
    ...(type === 'builtin:openapi'
      ? { props: { models: false, ...props } }
      : props === undefined
        ? {}
        : { props }),
  };
}

/** Shows whether computed pages are still up to date: it changes with what they are computed from. */
function seedOf(computed: StoredComputed, madeFrom: string): string {
  return createHash('sha256')
    .update(`${JSON.stringify(computed)} ${madeFrom}`)
    .digest('base64url')
    .slice(0, 16);
}
