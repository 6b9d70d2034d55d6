import { createHash } from 'node:crypto';
import type { PageResource, ReferenceResource } from '../../contract/index.ts';
import type { PageRow, StoredTarget } from '../../store/index.ts';
import type { Presentation } from './presentation.ts';
import { referenceInto } from './reference-into.ts';

type Settings = Pick<PageResource, 'layout' | 'cover' | 'variables' | 'computed' | 'computedSeed'>;

/** The presentation settings of a page's file; settings that the file does not have are absent. */
export function presentSettings({ settings }: PageRow, view: Presentation): Settings {
  if (settings === null) return {};
  const { layout, cover, variables, computed } = settings;
  const toReference = (target: StoredTarget): ReferenceResource =>
    'file' in target
      ? { kind: 'file', ...referenceInto(view), file: target.file }
      : { kind: 'url', url: target.url };
  return {
    ...(layout === undefined ? {} : { layout: layout as NonNullable<PageResource['layout']> }),
    ...(cover === undefined
      ? {}
      : {
          cover: {
            ref: toReference(cover.ref),
            ...(cover.refDark === undefined ? {} : { refDark: toReference(cover.refDark) }),
            ...(cover.yPos === undefined ? {} : { yPos: cover.yPos }),
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
    ...(props === undefined ? {} : { props }),
  };
}

/** Shows whether computed pages are still up to date: it changes with what they are computed from. */
function seedOf(computed: StoredComputed, madeFrom: string): string {
  return createHash('sha256')
    .update(`${JSON.stringify(computed)} ${madeFrom}`)
    .digest('base64url')
    .slice(0, 16);
}
