/** What the frame of a site says, in one language. `{…}` stands for a value. */
export interface Words {
  readonly skip: string;
  readonly search: string;
  readonly searching: string;
  readonly searchFailed: string;
  readonly searchBusy: string;
  readonly results: string;
  readonly nothingFound: string;
  /** Above sections that say most of a question, where none has all of its words. */
  readonly nearestSections: string;
  readonly answer: string;
  /** A button below what a search found. */
  readonly answerThis: string;
  /** Each says what made an answer. */
  readonly composing: string;
  readonly composed: string;
  readonly sectionsSay: string;
  readonly askedOften: string;
  readonly notInTheseDocs: string;
  readonly showingInstead: string;
  /** Above what can be searched. */
  readonly searchIn: string;
  readonly everywhere: string;
  readonly openNavigation: string;
  readonly close: string;
  readonly pages: string;
  readonly under: string;
  readonly sections: string;
  readonly links: string;
  readonly more: string;
  readonly version: string;
  readonly language: string;
  readonly missingThere: string;
  /** Of a page that is shown in another language than its readers'. */
  readonly notTranslated: string;
  readonly readOriginal: string;
  readonly breadcrumbs: string;
  readonly onThisPage: string;
  readonly neighbours: string;
  readonly previous: string;
  readonly next: string;
  readonly updated: string;
  readonly edit: string;
  readonly copyPage: string;
  readonly pageActions: string;
  readonly viewMarkdown: string;
  readonly connectMcp: string;
  readonly openIn: string;
  readonly copyCode: string;
  readonly copied: string;
  readonly darkTheme: string;
  readonly enlarge: string;
  readonly announcement: string;
  readonly notice: string;
  readonly preview: string;
  readonly changedPages: string;
  readonly added: string;
  readonly removed: string;
  readonly membersOnly: string;
  readonly footer: string;
  readonly notFound: string;
  readonly notFoundText: string;
  /** Leads people of the team to where they sign in. */
  readonly signIn: string;
  readonly similarPages: string;
  readonly home: string;
  /** What hints, and what folds, are called where the author did not write it. */
  readonly note: string;
  readonly tip: string;
  readonly important: string;
  readonly warning: string;
  readonly caution: string;
  readonly info: string;
  readonly danger: string;
  readonly success: string;
  readonly details: string;
  readonly refused: string;
  readonly feedbackQuestion: string;
  readonly yes: string;
  readonly no: string;
  readonly feedbackComment: string;
  readonly feedbackThanks: string;
  readonly feedbackBusy: string;
  readonly backToPage: string;
  readonly video: string;
  readonly diagram: string;
  readonly source: string;
  readonly contents: string;
  readonly printSection: string;
  readonly printSite: string;
  readonly print: string;
  readonly part: string;
}
