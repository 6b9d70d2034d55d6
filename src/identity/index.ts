/** The identity room: who somebody is, by their sessions and tokens. */
export {
  createSessionStore,
  findActor,
  findLiveToken,
  type Session,
  type SessionStore,
} from './session-store.ts';
export { hashToken, isTokenShaped, newTokenText, sessionSecretOf } from './token-text.ts';
