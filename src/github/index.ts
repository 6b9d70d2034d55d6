export { createGitHubApp, type GitHubApp, type GitHubAppConfig, type GitHubAppDeps } from './github-app.ts';
export { WEBHOOK_PATH } from './webhooks/webhook-route.ts';
