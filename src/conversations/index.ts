/** The conversations room: what people ask. Redaction, the issues of conversations, and their clusters. Pure. */
export { type ClusterableIssue, clusterInSteps, clusterIssues } from './cluster-issues.ts';
export { type ClusterDescription, countStems, describeCluster } from './describe-cluster.ts';
export { extractIssue, type Issue, type Message } from './extract-issue.ts';
export { matchClusters } from './match-clusters.ts';
export { readProse } from './read-prose.ts';
export { redactText, redactUrl } from './redact.ts';
export { clip } from './sentences.ts';
