import { appRoutes } from './app-routes.ts';
import { branchRoutes } from './branch-routes.ts';
import { checkRoutes } from './check-routes.ts';
import { commitRoutes } from './commit-routes.ts';
import { contentRoutes } from './content-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { graphqlRoutes } from './graphql-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import { manifestRoutes } from './manifest-routes.ts';
import { pullRoutes } from './pull-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { reviewCommentRoutes } from './review-comment-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import type { Route } from './route.ts';
import { statusRoutes } from './status-routes.ts';
import { userRoutes } from './user-routes.ts';
import { writeRoutes } from './write-routes.ts';

/** All routes of GitHub's API that the stand-in knows. The first match wins, so `commits/*ref` comes late. */
export const routes: readonly Route[] = [
  ...appRoutes,
  ...manifestRoutes,
  ...deliveryRoutes,
  ...userRoutes,
  ...repositoryRoutes,
  ...contentRoutes,
  ...writeRoutes,
  ...branchRoutes,
  ...reviewCommentRoutes,
  ...pullRoutes,
  ...reviewRoutes,
  ...issueRoutes,
  ...graphqlRoutes,
  ...checkRoutes,
  ...statusRoutes,
  ...commitRoutes,
];
