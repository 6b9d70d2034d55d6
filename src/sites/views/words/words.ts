/** What the frame of a site says, in one language. `{…}` stands for a value. */
export interface Words {
  readonly skip: string;
  readonly search: string;
  readonly searching: string;
  readonly searchFailed: string;
  readonly results: string;
  readonly nothingFound: string;
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
  readonly copyCode: string;
  readonly copied: string;
  readonly darkTheme: string;
  readonly enlarge: string;
  readonly announcement: string;
  readonly notice: string;
  readonly footer: string;
}
