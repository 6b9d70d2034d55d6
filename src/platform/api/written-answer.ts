/** An answer that is JSON already, in the form of its operation: for those so large that writing them anew would hold up others. */
export class WrittenAnswer {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}
