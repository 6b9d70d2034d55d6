export {
  type ChangedQuestion,
  handleDiscussion,
  handleIssue,
  type OnQuestionChanged,
} from './handle-question.ts';
