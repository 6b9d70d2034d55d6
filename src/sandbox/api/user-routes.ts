import { Type } from 'typebox';
import { announceRepository } from '../actions/install-app.ts';
import { createRepository, repositoryNameProblem } from '../actions/repositories.ts';
import { presentAccountUser } from '../present/account.ts';
import { presentFullRepository } from '../present/repository.ts';
import { findAccount } from '../state/find-records.ts';
import { badCredentials, ForgeApiError, invalidError, notFoundError } from './api-error.ts';
import { parseBody } from './parse-body.ts';
import { type Call, created, ok, type PlainRoute } from './route.ts';

const NewRepository = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  private: Type.Optional(Type.Boolean()),
});

function userOf(call: Call) {
  if (call.caller.kind !== 'user') throw badCredentials();
  return call.caller.account;
}

export const userRoutes: readonly PlainRoute[] = [
  {
    method: 'GET',
    path: '/user',
    callers: ['user'],
    run: (call) => ok(presentAccountUser(call.context, userOf(call))),
  },
  {
    method: 'GET',
    path: '/user/emails',
    callers: ['user'],
    run: (call) => {
      if (call.context.app?.permissions['emails'] === undefined)
        throw new ForgeApiError(403, 'Resource not accessible by integration');
      const { email, emails = [{ email, primary: true, verified: true }] } = userOf(call);
      return ok(emails.map((each) => ({ ...each, visibility: each.primary ? 'private' : null })));
    },
  },
  {
    method: 'GET',
    path: '/users/:login',
    callers: ['anonymous', 'app', 'installation', 'user'],
    run: (call) => {
      const found = findAccount(call.context.data, call.params['login'] ?? '');
      if (!found) throw notFoundError();
      // No email address is public here.
      return ok({ ...presentAccountUser(call.context, found), email: null });
    },
  },
  {
    method: 'POST',
    path: '/user/repos',
    callers: ['user'],
    run: async (call) => {
      const input = parseBody(NewRepository, call.body);
      const owner = userOf(call);
      const problem = repositoryNameProblem(call.context, owner, input.name);
      if (problem) throw invalidError('Repository', 'name', problem, 'custom');
      const repository = await createRepository(call.context, {
        owner,
        name: input.name,
        private: input.private ?? false,
        defaultBranch: 'main',
        forkOf: null,
      });
      announceRepository(call.context, repository);
      await call.context.save();
      return created({
        ...presentFullRepository(call.context, repository),
        permissions: { admin: true, maintain: true, push: true, triage: true, pull: true },
      });
    },
  },
];
