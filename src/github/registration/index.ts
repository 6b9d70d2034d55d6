export { changeWebhookSecret, isKeyOf } from './app-keys.ts';
export {
  type AppManifest,
  type AppNeeds,
  appNeeds,
  buildManifest,
  MAX_APP_NAME,
  TIERS,
  type Tier,
} from './app-manifest.ts';
export { type Connection, type Missing, readConnection } from './connection.ts';
export { ExchangeError, exchangeCode, type RegisteredApp } from './exchange-code.ts';
