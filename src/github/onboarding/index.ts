export type { Onboarding, OnboardingHint } from './deps.ts';
export { handleClosedProposal } from './handle-closed-proposal.ts';
export { isProposalDue, reconcileProposal } from './reconcile-proposal.ts';
