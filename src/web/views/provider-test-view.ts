import type { SignInTest, TestOutcome } from '../../identity/index.ts';
import { type HtmlValue, html, type Markup } from '../../markup/index.ts';
import { formatMoment } from '../format.ts';
import { renderOrganizationPage } from './organization-frame.ts';
import type { ProviderTestPage } from './provider-page.ts';

/** What came of the last test of a provider, whatever protocol it speaks. */
export function renderProviderTest<Answer>(
  options: ProviderTestPage<{ readonly label: string }, SignInTest<Answer>> & {
    /** Of the provider's page. */
    readonly path: string;
    /** What is the reason when the provider does not answer. */
    readonly silence: string;
    /** More about an answer that was refused. */
    readonly renderCause?: (outcome: TestOutcome<Answer>) => Markup | null;
    readonly renderAnswer: (answer: Answer) => Markup;
  },
): string {
  const { organization, provider, path, test, user, renderAnswer } = options;
  const { label } = provider;
  return renderOrganizationPage({
    organization,
    section: 'sso',
    title: `Test of ${label}`,
    user,
    main: html`${renderState(options)}
<p class="buttons"><a class="button" href="${path}/test/start">${test === null ? 'Test' : 'Test again'}</a><a href="${path}">Back to ${label}</a></p>
${test?.outcome?.answer ? renderAnswer(test.outcome.answer) : null}`,
  });
}

function renderState<Answer>(options: Parameters<typeof renderProviderTest<Answer>>[0]): Markup {
  const { test, now, silence } = options;
  const { label } = options.provider;
  if (test === null) return html`<p class="lead">You began no test of ${label} within the last hour.</p>`;
  if (test.outcome === null)
    return html`<div class="notice wait reading" role="status"><p><strong>${label} has not answered</strong> the test that you began ${formatMoment(test.startedAt.toISOString(), now)}.</p>
<p>${silence} Reload this page when it has answered.</p></div>`;
  const { answeredAt, refusal } = test.outcome;
  return html`${refusal === null ? renderSuccess(test.outcome, label) : renderRefusal(test.outcome, refusal, options.renderCause)}
<p class="small soft">Answered ${formatMoment(answeredAt, now)}; shown for an hour, to you alone. Nobody was signed in.</p>`;
}

function renderRefusal<Answer>(
  outcome: TestOutcome<Answer>,
  { reason, sentence, advice }: NonNullable<TestOutcome<Answer>['refusal']>,
  renderCause: ((outcome: TestOutcome<Answer>) => Markup | null) | undefined,
): Markup {
  return html`<div class="notice bad reading" role="alert"><p><strong>Refused.</strong> ${sentence}</p>
${advice === null ? null : html`<p>${advice}</p>`}
${renderCause?.(outcome) ?? null}
<p class="small">Reason: <code>${reason}</code></p></div>`;
}

function renderSuccess<Answer>({ user }: TestOutcome<Answer>, label: string): Markup {
  return html`<div class="notice good reading" role="status"><p><strong>It works.</strong> ${
    user === null
      ? `${label} would sign this person in.`
      : html`${user.displayName}${user.email === null ? null : ` (${user.email})`} would be signed in ${user.isNew ? 'as a new user, ' : null}${user.role === null ? 'as a guest' : `with the role ${user.role}`}.`
  }</p></div>`;
}

/** A value that the provider sent, as it is. */
export function sentValue(text: string | null): HtmlValue {
  return text === null || text === '' ? html`<span class="soft">nothing</span>` : html`<code>${text}</code>`;
}

/** What was sent, and below it what should have been, where that is something else. */
export function comparedValue(
  name: string,
  sent: string | null,
  expected: string,
): [string, HtmlValue, string?] {
  return sent === expected ? [name, sentValue(sent)] : [name, sentValue(sent), `It should be ${expected}`];
}
