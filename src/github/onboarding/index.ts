export type { Onboarding, OnboardingHint } from './deps.ts';
export { handleClosedProposal, isProposalDue, reconcileProposal } from './reconcile-proposal.ts';
