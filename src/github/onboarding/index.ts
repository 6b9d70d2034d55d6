export type { Onboarding, OnboardingHint } from './deps.ts';
export { followProposal } from './handle-closed-proposal.ts';
export { isProposalDue, keepProposal } from './reconcile-proposal.ts';
