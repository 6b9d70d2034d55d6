import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { propertyRuns } from '../../support/property-runs.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { type ScimCaller, startProvisioning } from './scim-caller.ts';

let platform: TestPlatform;
let scim: ScimCaller;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  scim = (await startProvisioning(platform)).scim;
});
afterAll(async () => {
  await platform?.close();
});

interface ModelUser {
  userName: string;
  active: boolean;
}

/** What the service should have: users and groups by their number, and the ids that it gave them. */
class Model {
  readonly users = new Map<number, ModelUser>();
  readonly groups = new Map<number, Set<number>>();
  readonly userIds = new Map<number, string>();
  readonly groupIds = new Map<number, string>();
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  userName(n: number): string {
    return `${this.prefix}-${n}@corp.example`;
  }

  groupName(n: number): string {
    return `${this.prefix} ${n}`;
  }

  isTaken(name: string, except: number): boolean {
    return [...this.users].some(([n, user]) => n !== except && user.userName === name);
  }

  /** An id that names nothing where there was never one. */
  user(n: number): string {
    return this.userIds.get(n) ?? 'nobody';
  }

  group(n: number): string {
    return this.groupIds.get(n) ?? 'nothing';
  }
}

type Step = (model: Model) => Promise<void>;

const patch = (op: string, path: string, value?: unknown) => ({
  Operations: [value === undefined ? { op, path } : { op, path, value }],
});

const create =
  (n: number): Step =>
  async (model) => {
    const userName = model.userName(n);
    const isKnown = model.users.has(n) || model.isTaken(userName, n);
    const { status, body } = await scim('POST', '/Users', { userName });
    expect(status).toBe(isKnown ? 409 : 201);
    if (isKnown) return;
    // Somebody who comes back is the same user.
    expect(model.userIds.get(n) ?? body.id).toBe(body.id);
    model.userIds.set(n, body.id);
    model.users.set(n, { userName, active: true });
  };

const setActive =
  (n: number, active: boolean, op: string): Step =>
  async (model) => {
    const { status } = await scim(
      'PATCH',
      `/Users/${model.user(n)}`,
      patch(op, 'active', active ? 'True' : 'False'),
    );
    const user = model.users.get(n);
    expect(status).toBe(user === undefined ? 404 : 200);
    if (user !== undefined) user.active = active;
  };

const rename =
  (n: number, to: number): Step =>
  async (model) => {
    // A name that is no address, so that the account keeps its own.
    const userName = `${model.prefix}-name-${to}`;
    const { status } = await scim('PATCH', `/Users/${model.user(n)}`, patch('replace', 'userName', userName));
    const user = model.users.get(n);
    expect(status).toBe(user === undefined ? 404 : model.isTaken(userName, n) ? 409 : 200);
    if (user !== undefined && status === 200) user.userName = userName;
  };

const remove =
  (n: number): Step =>
  async (model) => {
    const { status } = await scim('DELETE', `/Users/${model.user(n)}`);
    expect(status).toBe(model.users.has(n) ? 204 : 404);
    model.users.delete(n);
    for (const members of model.groups.values()) members.delete(n);
  };

const createGroup =
  (g: number): Step =>
  async (model) => {
    const { status, body } = await scim('POST', '/Groups', { displayName: model.groupName(g) });
    expect(status).toBe(model.groups.has(g) ? 409 : 201);
    if (status !== 201) return;
    model.groupIds.set(g, body.id);
    model.groups.set(g, new Set());
  };

const removeGroup =
  (g: number): Step =>
  async (model) => {
    const { status } = await scim('DELETE', `/Groups/${model.group(g)}`);
    expect(status).toBe(model.groups.has(g) ? 204 : 404);
    model.groups.delete(g);
  };

const join =
  (g: number, ns: readonly number[], op: string): Step =>
  async (model) => {
    const value = ns.map((n) => ({ value: model.user(n) }));
    const { status } = await scim('PATCH', `/Groups/${model.group(g)}`, patch(op, 'members', value));
    const members = model.groups.get(g);
    const areKnown = ns.every((n) => model.users.has(n));
    expect(status).toBe(members === undefined ? 404 : areKnown ? 204 : 400);
    if (members === undefined || !areKnown) return;
    if (op.toLowerCase() === 'replace') members.clear();
    for (const n of ns) members.add(n);
  };

const leave =
  (g: number, n: number, isFiltered: boolean): Step =>
  async (model) => {
    const id = model.user(n);
    const body = isFiltered
      ? patch('remove', `members[value eq "${id}"]`)
      : patch('Remove', 'members', [{ $ref: null, value: id }]);
    const { status } = await scim('PATCH', `/Groups/${model.group(g)}`, body);
    const members = model.groups.get(g);
    expect(status).toBe(members === undefined ? 404 : 204);
    members?.delete(n);
  };

const user = fc.nat({ max: 3 });
const group = fc.nat({ max: 1 });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: user.map(create) },
    fc.tuple(user, fc.boolean(), fc.constantFrom('replace', 'Add')).map((args) => setActive(...args)),
    fc.tuple(user, fc.nat({ max: 2 })).map((args) => rename(...args)),
    user.map(remove),
    { weight: 2, arbitrary: group.map(createGroup) },
    group.map(removeGroup),
    {
      weight: 3,
      arbitrary: fc
        .tuple(group, fc.uniqueArray(user, { maxLength: 3 }), fc.constantFrom('add', 'Add', 'Replace'))
        .map((args) => join(...args)),
    },
    fc.tuple(group, user, fc.boolean()).map((args) => leave(...args)),
  ),
  { minLength: 5, maxLength: 25 },
);

async function compare(model: Model): Promise<void> {
  for (const [n, { userName, active }] of model.users) {
    const { body } = await scim('GET', `/Users/${model.user(n)}`);
    expect(body).toMatchObject({ userName, active });
  }
  for (const [g, members] of model.groups) {
    const { body } = await scim('GET', `/Groups/${model.group(g)}`);
    expect(body.members.map(({ value }: { value: string }) => value).toSorted()).toEqual(
      [...members].map((n) => model.user(n)).toSorted(),
    );
  }
}

it('whatever a provider does, in whatever order, users and groups are as it left them', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      run += 1;
      const model = new Model(`run-${run}`);
      for (const step of sequence) await step(model);
      await compare(model);
    }),
    propertyRuns(6),
  );
});
