import { isPageFile, type TreeEntry } from '../../content/index.ts';
import { neighboursOf } from '../../content/translation/index.ts';
import {
  deleteCorrections,
  listCorrections,
  loadSpace,
  loadTranslation,
  loadUsers,
  type RequestOrigin,
  recordAudit,
  requestTranslationRun,
  type SpaceRow,
  savePersonTranslations,
  type TranslationRow,
} from '../../store/index.ts';
import { authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireSpace } from '../access/require-space.ts';
import { permissionsOf, translationRights } from '../access/roles.ts';
import { ApiError } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { ProviderRefusal } from '../providers/provider-errors.ts';
import { toTreeMap } from '../revisions/derive-revision.ts';
import { loadContent } from '../revisions/load-content.ts';
import { createStoredReader } from '../revisions/read-stored.ts';
import { loadAnswers } from './load-answers.ts';
import { chooseProvider, createProviderHttp } from './providers/choose-provider.ts';
import { readCorrectionText } from './read-correction-text.ts';
import { readSourcePages, type SourcePage } from './read-source.ts';
import { personKey, personRawKey } from './segment-keys.ts';
import type {
  CorrectionOutcome,
  TranslatedPage,
  TranslationName,
  TranslationSegments,
} from './segment-types.ts';
import {
  type AnsweredPage,
  answerTexts,
  countStates,
  listAuthors,
  presentSegment,
  rowAt,
  segmentKey,
  stateAt,
  versionAt,
} from './show-segments.ts';
import { translationJob } from './translation-jobs.ts';

/** Pages of a list at a time, and pages that are read at most to find as many in which a state occurs. */
const [PAGES_SHOWN, PAGES_READ] = [25, 200];
/** Texts of a page that are shown at a time. */
const SEGMENTS_SHOWN = 100;
/** Of texts in the audit log, in characters. */
const LOGGED = 300;

interface Opened {
  readonly caller: Caller;
  readonly row: TranslationRow;
  readonly source: SpaceRow;
  readonly mayCorrect: boolean;
}

/** @param originOf where the current request comes from, for the audit log */
export function openTranslationSegments(
  deps: PlatformDeps,
  originOf: () => RequestOrigin,
): TranslationSegments {
  const { db } = deps;
  let http: ReturnType<typeof createProviderHttp> | null = null;

  async function open(
    token: string,
    { organizationId, translationId }: TranslationName,
  ): Promise<Opened | null> {
    try {
      const caller = await authenticate(db, `Bearer ${token}`, originOf());
      const { effectiveRole } = await requireOrganization(db, caller, organizationId, 'view');
      const row = await loadTranslation(db, translationId);
      if (row === null || row.organizationId !== organizationId) return null;
      const { space: source } = await requireSpace(db, caller, row.sourceSpaceId, 'view');
      const result = row.resultSpaceId === null ? null : await loadSpace(db, row.resultSpaceId);
      if (result !== null) await requireSpace(db, caller, result.id, 'view');
      return { caller, row, source, mayCorrect: permissionsOf(translationRights, effectiveRole).edit };
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return null;
      throw error;
    }
  }

  function providerOf(row: TranslationRow) {
    if (row.provider === 'pseudo') return { provider: null, problem: null };
    try {
      http ??= createProviderHttp(deps.translators);
      return { provider: chooseProvider(row, deps, http), problem: null };
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      return { provider: { identity: '', followsGuidance: false }, problem: error.message };
    }
  }

  /** The pages of the source, and a function that reads some of them. */
  async function openSource({ row, source }: Opened) {
    const { provider, problem } = providerOf(row);
    const tree =
      source.revisionId === null
        ? null
        : await loadContent(deps, source, source.revisionId).then(({ rows }) => ({
            entries: toTreeMap(rows),
            shown: [...rows.pages.values()].flatMap(({ gitPath }) => gitPath ?? []),
          }));
    const entries = tree?.entries ?? new Map<string, TreeEntry>();
    const contents = [...entries.keys()].filter((path) => /(?:^|\/)SUMMARY\.md$/.test(path));
    const paths = [...new Set([...(tree?.shown ?? []), ...contents])]
      .filter((path) => isPageFile(path) && /^(?:file|executable)$/.test(entries.get(path)?.mode ?? ''))
      .sort();
    const read = async (some: readonly string[]): Promise<readonly AnsweredPage[]> => {
      const wanted = some.flatMap((path) => entries.get(path) ?? []);
      const pages: readonly SourcePage[] = await readSourcePages(wanted, createStoredReader(deps, source.id));
      const answers = await loadAnswers({ db }, row, pages, provider);
      const corrections = await listCorrections(db, row.id, some);
      return pages.map((page) =>
        answerTexts(
          page,
          answers,
          corrections.filter(({ path }) => path === page.path),
          provider === null,
        ),
      );
    };
    return { paths, problem, read };
  }

  async function readOne(opened: Opened, path: string) {
    const { paths, problem, read } = await openSource(opened);
    if (!paths.includes(path)) return null;
    const [answered] = await read([path]);
    return answered === undefined ? null : { answered, problem };
  }

  return {
    async listPages(token, name, { state, after }) {
      const opened = await open(token, name);
      if (opened === null) return null;
      const { paths, problem, read } = await openSource(opened);
      const rest = after === null ? paths : paths.filter((path) => path > after);
      const pages: TranslatedPage[] = [];
      let at = 0;
      while (at < rest.length && at < PAGES_READ && pages.length < PAGES_SHOWN) {
        const some = rest.slice(at, at + PAGES_SHOWN);
        at += some.length;
        const counted = (await read(some)).map(countStates);
        pages.push(...counted.filter(({ counts }) => state === null || counts[state] > 0));
      }
      // What was read is shown, so that nothing is read twice.
      return { pages, problem, next: at < rest.length ? (rest[at - 1] ?? null) : null };
    },

    async readPage(token, name, { path, state, from }) {
      const opened = await open(token, name);
      const found = opened === null ? null : await readOne(opened, path);
      if (opened === null || found === null) return null;
      const { answered, problem } = found;
      const all = [...answered.page.segments.keys()].filter(
        (at) => at >= from && (state === null || stateAt(answered, at) === state),
      );
      const shown = all.slice(0, SEGMENTS_SHOWN);
      const authors = listAuthors(answered, shown);
      const users = authors.length === 0 ? null : await loadUsers(db, authors);
      const names = new Map([...(users ?? [])].map(([id, { displayName }]) => [id, displayName]));
      return {
        page: countStates(answered),
        segments: shown.map((at) => presentSegment(answered, at, names)),
        next: all[SEGMENTS_SHOWN] ?? null,
        mayCorrect: opened.mayCorrect,
        problem: answered.page.problem ?? problem,
      };
    },

    async correct(token, name, { path, key, version, markdown }): Promise<CorrectionOutcome | null> {
      const opened = await open(token, name);
      if (opened === null || !opened.mayCorrect) return null;
      const { caller, row } = opened;
      const found = await readOne(opened, path);
      if (found === null) return { kind: 'gone' };
      const { answered } = found;
      const { page } = answered;
      const at = page.segments.findIndex((segment) => segmentKey(page, segment) === key);
      const segment = page.segments[at];
      if (segment === undefined) return { kind: 'gone' };
      if (versionAt(answered, at) !== version) return { kind: 'changed' };
      const read = markdown === null ? null : await readCorrectionText(page, at, markdown);
      if (read !== null && 'refused' in read) return { kind: 'refused', reason: read.refused };
      const keys = [personKey(segment.text), personRawKey(page.text.slice(segment.start, segment.end))];
      const former = rowAt(answered, at);
      await db.transaction(async (tx) => {
        await deleteCorrections(tx, row.id, keys);
        if (read !== null) {
          await savePersonTranslations(tx, [
            {
              translationId: row.id,
              run: row.run,
              key: personKey(segment.text),
              source: segment.text,
              text: read.text,
              path,
              correction: { userId: caller.user.id, neighbours: neighboursOf(page.segments, at) },
            },
          ]);
        }
        // What else it translates, nobody asked for.
        await requestTranslationRun(tx, row.id, { forPerson: false });
        await deps.queue.enqueue(
          tx,
          translationJob,
          { translationId: row.id },
          { unlessWaiting: true, retriesNow: true },
        );
        await recordAudit(tx, {
          organizationId: row.organizationId,
          action: read === null ? 'translation.uncorrect' : 'translation.correct',
          actor: caller.actor,
          target: { kind: 'translation', id: row.id, name: row.language },
          before: { text: clip(former?.text) },
          after: { space: row.sourceSpaceId, path, source: clip(segment.text), text: clip(read?.text) },
        });
      });
      return { kind: 'saved' };
    },
  };
}

function clip(text: string | null | undefined): string | null {
  return text?.slice(0, LOGGED) ?? null;
}
