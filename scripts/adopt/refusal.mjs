/** What a person can correct: it is shown as one sentence, without a stack. */
export class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
