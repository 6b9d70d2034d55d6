import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, operations } from '../../src/client/index.ts';
import { findLiveToken } from '../../src/identity/index.ts';
import { createHttp } from '../../src/net/http.ts';
import { createToken, OperatorRemoved } from '../../src/platform/index.ts';
import { deleteOwnSpace } from '../../src/server/delete-space.ts';
import { loadMember, removeMember } from '../../src/store/index.ts';
import { startPlatform, type TestPlatform } from '../platform/start-platform.ts';

let platform: TestPlatform;
const http = createHttp({ userAgent: 'docloom-test' });

beforeAll(async () => {
  platform = await startPlatform();
});

afterAll(async () => {
  await platform?.close();
  await http.close();
});

test('the server deletes a disconnected space, which the token of its App may not', async () => {
  const { db } = platform.deps;
  const spaceId = await platform.createSpace('Disconnected');
  const clientFor = (token: string) => createClient({ baseUrl: platform.url, token, http });
  const { token } = await createToken(db, { name: 'docloom serve', role: 'create' });
  const remove = clientFor(token).call(operations.deleteSpace, { params: { spaceId } });
  await expect(remove).rejects.toMatchObject({ status: 403 });

  const used: string[] = [];
  await deleteOwnSpace(
    db,
    (own) => {
      used.push(own);
      return clientFor(own);
    },
    spaceId,
  );
  await expect(platform.client.call(operations.getSpace, { params: { spaceId } })).rejects.toMatchObject({
    status: 404,
  });
  expect(used).toHaveLength(1);
  expect(await findLiveToken(db, used[0] ?? '')).toBeNull();
});

test('an operator who was removed from an organization stays removed, whatever the server does for itself', async () => {
  const { deps, organizationId } = platform;
  const { db } = deps;
  const spaceId = await platform.createSpace('Left behind');
  const operator = (await platform.api('GET', '/user')).body.id;
  await removeMember(db, organizationId, operator);

  const clientFor = (token: string) => createClient({ baseUrl: platform.url, token, http });
  await expect(deleteOwnSpace(db, clientFor, spaceId)).rejects.toThrow('was not deleted');
  await createToken(db, { name: 'docloom serve', role: 'create' });
  expect(await loadMember(db, organizationId, operator)).toBeNull();

  const asked = createToken(db, { name: 'for a person', role: 'admin', mustOpen: true });
  await expect(asked).rejects.toBeInstanceOf(OperatorRemoved);
  await expect(asked).rejects.toThrow('Operator is not a member of Documentation');
});
