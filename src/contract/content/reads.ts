import Type, { type TSchema, type TVoid } from 'typebox';
import type { ErrorReason } from '../errors.ts';
import { Bytes, defineOperation, type NoHeaders, noQuery, type Operation } from '../operation.ts';
import { ListOf, ListWith, Paging, pagingFields } from '../paging.ts';
import { EmbeddedReference } from './embedded-reference.ts';
import { File } from './file.ts';
import { LinkResource, LinkStats, LinkStatus } from './link.ts';
import { PageResource } from './page.ts';
import { PageView } from './page-view.ts';
import { ContentQuery, FilesQuery, PageQuery, PageViewQuery } from './queries.ts';
import { Revision } from './revision.ts';

/** The filters of a list of links. */
const LinkQuery = Type.Object(
  { ...pagingFields, status: Type.Optional(LinkStatus) },
  { additionalProperties: false },
);
const LinkList = ListWith(LinkResource, { stats: LinkStats });

/** All pages of a list come from the revision of the first page, which may no longer be the current one. */
const pagedErrors = ['role-too-low'] as const;

/** The reads of content; `path` is relative to the base path of a view. */
const reads = {
  getContent: { path: '', query: ContentQuery, answer: Revision },
  listPages: {
    path: '/pages',
    query: ContentQuery,
    answer: Type.Object({ pages: Type.Array(PageResource) }),
  },
  listFiles: { path: '/files', query: FilesQuery, answer: ListOf(File), errors: pagedErrors },
  getFile: { path: '/files/:fileId', query: ContentQuery, answer: File },
  downloadFile: {
    path: '/files/:fileId/download',
    query: noQuery,
    answer: Bytes,
    errors: ['bytes-not-stored', 'range-not-satisfiable'],
  },
  listFileBacklinks: {
    path: '/files/:fileId/backlinks',
    query: Paging,
    answer: ListOf(EmbeddedReference),
    errors: pagedErrors,
  },
  getPage: { path: '/page/:pageId', query: PageQuery, answer: PageResource, errors: ['bytes-not-stored'] },
  getPageByPath: {
    path: '/path/:pagePath',
    query: PageQuery,
    answer: PageResource,
    errors: ['bytes-not-stored'],
  },
  getPageView: {
    path: '/page/:pageId/view',
    query: PageViewQuery,
    answer: PageView,
    errors: ['bytes-not-stored'],
  },
  listPageLinks: { path: '/page/:pageId/links', query: LinkQuery, answer: LinkList, errors: pagedErrors },
  listPageBacklinks: {
    path: '/page/:pageId/backlinks',
    query: Paging,
    answer: ListOf(EmbeddedReference),
    errors: pagedErrors,
  },
  listLinks: { path: '/links', query: LinkQuery, answer: LinkList, errors: pagedErrors },
} as const satisfies Record<
  string,
  { path: string; query: TSchema; answer: TSchema; errors?: readonly ErrorReason[] }
>;

type Reads = typeof reads;
export type ContentRead = keyof Reads;

/** `listPages` of the view `Revision` is `listRevisionPages`. */
export type ReadName<Read extends string, View extends string> = Read extends `get${infer What}`
  ? `get${View}${What}`
  : Read extends `list${infer What}`
    ? `list${View}${What}`
    : Read extends `download${infer What}`
      ? `download${View}${What}`
      : never;

/** The names of the views: what readers see, a revision, a change request. */
export const contentViews = ['', 'Revision', 'ChangeRequest'] as const;

/** One read in a view. */
interface ViewedRead {
  /** The published `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Set if the path is not below the view's base. */
  readonly path?: string;
  readonly tag?: string;
  readonly extension?: true;
}

interface Declaration<View extends string, Base extends string> {
  /** Part of the names of its operations; empty for the current content. */
  readonly name: View;
  readonly base: Base;
  readonly tag: string;
  /** In addition to those of each read. */
  readonly errors: readonly ErrorReason[];
  readonly reads: Readonly<Partial<Record<ContentRead, ViewedRead>>>;
}

type PathOf<Base extends string, Read extends ContentRead, Viewed> = Viewed extends {
  readonly path: infer Path extends string;
}
  ? Path
  : `${Base}${Reads[Read]['path']}`;

type OperationsOf<View extends string, Base extends string, Viewed> = {
  readonly [Read in keyof Viewed & ContentRead as ReadName<Read, View>]: Operation<
    PathOf<Base, Read, Viewed[Read]>,
    Reads[Read]['query'],
    TVoid,
    200,
    Reads[Read]['answer'],
    NoHeaders
  >;
};

/** Declares the operations that read one view of the content. */
export function declareReads<
  const View extends (typeof contentViews)[number],
  const Base extends string,
  const Viewed extends Declaration<View, Base>['reads'],
>(view: Declaration<View, Base> & { readonly reads: Viewed }): OperationsOf<View, Base, Viewed> {
  return Object.fromEntries(
    listReads(view.reads).map(([read, viewed]) => {
      const {
        path,
        query,
        answer,
        errors = [],
      }: (typeof reads)[ContentRead] & { errors?: readonly ErrorReason[] } = reads[read];
      const operation = defineOperation({
        method: 'GET',
        path: `${view.base}${path}`,
        tag: view.tag,
        query: query as TSchema,
        responses: { 200: answer as TSchema },
        conditional: true,
        errors: [...new Set([...view.errors, ...errors])],
        ...viewed,
      });
      return [nameRead(read, view.name), operation];
    }),
  ) as unknown as OperationsOf<View, Base, Viewed>;
}

function listReads(viewed: Declaration<string, string>['reads']): [ContentRead, ViewedRead][] {
  return Object.entries(viewed) as [ContentRead, ViewedRead][];
}

/** The name of the operation for a read in a view. */
export function nameRead(read: ContentRead, view: string): string {
  return read.replace(/^(get|list|download)/, (verb) => `${verb}${view}`);
}
