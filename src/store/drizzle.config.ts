import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/schema/index.ts',
  /** `npm run db:check` names a copy, so that it can generate without leaving anything behind. */
  out: process.env.MIGRATIONS ?? './src/store/migrations',
});
