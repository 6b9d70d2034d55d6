import { type InputOf, operations } from '../../src/client/index.ts';
import type { StatusRepository } from '../../src/web/index.ts';
import type { TestPlatform } from '../platform/start-platform.ts';
import { waitFor } from '../support/wait-for.ts';

const specification = `openapi: 3.1.0
info: { title: Lamps, version: '1' }
paths:
  /lamps:
    get: { responses: { '200': { description: All lamps. } } }
`;

/** A repository with a space, specifications and translations in every state, which are on the platform as it is told. */
export async function createSampleStatus(
  { client, organizationId }: TestPlatform,
  { spaceId, liveOid }: { readonly spaceId: string; readonly liveOid: string },
): Promise<StatusRepository> {
  const params = { organizationId };
  const translate = async (body: Omit<InputOf<typeof operations.createTranslation>['body'], 'source'>) =>
    (
      await client.call(operations.createTranslation, {
        params,
        body: { ...body, source: { space: spaceId } },
      })
    ).id;
  const read = (translationId: string) =>
    client.call(operations.getTranslation, { params: { organizationId, translationId } });
  const [current, failed, waiting, left] = [
    await translate({ language: 'de' }),
    await translate({ language: 'fr', provider: 'deepl' }),
    await translate({ language: 'pt-br' }),
    await translate({ language: 'es' }),
  ];
  for (const translationId of [current, failed])
    await client.call(operations.runTranslation, { params: { organizationId, translationId } });
  await client.call(operations.putOpenAPISpec, {
    params: { organizationId, specSlug: 'lamps' },
    body: { source: { text: specification } },
  });
  let last = '';
  await waitFor(
    async () => {
      const runs = await Promise.all([current, failed].map(async (id) => (await read(id)).stats.runs));
      const spec = await client.call(operations.getOpenAPISpec, {
        params: { organizationId, specSlug: 'lamps' },
      });
      last = `runs ${runs}, specification ${spec.processingState}`;
      return runs.every((count) => count === 1) && spec.processingState === 'complete';
    },
    () => last,
  );
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const translation = {
    directory: 'guide',
    organizationId,
    isNamed: true,
    error: null,
    next: null,
    maxWords: 500_000,
  };
  const spec = { organizationId, error: null, lookedAt: minutesAgo(5), next: null };
  return {
    id: 7,
    name: 'acme/lantern',
    url: 'https://forge.example/acme/lantern',
    defaultBranch: 'main',
    disconnected: null,
    configError: null,
    conversationsError: 'The App may not read discussions of acme/lantern.',
    mirrorError: null,
    site: {
      title: 'Lantern',
      address: 'https://docs.example/s/acme/lantern/',
      isPublished: true,
      error: null,
    },
    bindings: [
      {
        title: 'Lantern Guide',
        branch: 'main',
        directory: 'guide',
        spaceId,
        liveOid,
        error: null,
        disconnected: null,
        removedAt: null,
        importing: false,
        updatedAt: minutesAgo(30),
        exported: null,
        linksOutside: null,
      },
    ],
    specifications: [
      { ...spec, name: 'lamps', source: { kind: 'file', at: 'api/openapi.yaml' } },
      {
        ...spec,
        name: 'oil',
        source: {
          kind: 'url',
          at: 'https://oil.example/a-long-address-that-nobody-would-type-by-hand/specifications/openapi.json',
        },
        error: 'openapi.json:3:7: `paths` must be a mapping of paths to their operations.',
        next: minutesAgo(-600),
      },
      { ...spec, name: 'wicks', source: { kind: 'file', at: 'api/wicks.yaml' }, lookedAt: null },
    ],
    translations: [
      { ...translation, language: 'de', translationId: current },
      { ...translation, language: 'fr', translationId: failed },
      { ...translation, language: 'pt-br', translationId: waiting, next: minutesAgo(-5_000) },
      { ...translation, language: 'es', translationId: left, isNamed: false },
      {
        ...translation,
        language: 'it',
        translationId: null,
        error: 'words/terms.yml:1:21: There is no language `xx` to translate from or into. (and 1 more)',
      },
    ],
    lastDelivery: null,
    linksOutsideNext: null,
    jobs: [
      {
        id: '0b0e4c1e-6f0a-4d27-9c7e-6a1d5d0a0001',
        subject: { kind: 'specifications', name: 'oil' },
        state: 'failed',
        attempt: 9,
        error: 'oil.example did not answer.',
        at: minutesAgo(12),
      },
    ],
    rateLimit: null,
  };
}
