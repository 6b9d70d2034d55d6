/** An answer that is JSON already, as its operation declares it: for answers so large that serializing them would block other requests. */
export class WrittenAnswer {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}
