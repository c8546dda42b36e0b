/** A question for the sandbox: whether the expression chooses the record. */
export interface Question {
  readonly language: 'javascript' | 'jmespath';
  readonly expression: string;
  /** The shown record of the identity, as JSON text. */
  readonly record: string;
}

export interface NumberedQuestion extends Question {
  readonly id: number;
}

export interface NumberedAnswer {
  readonly id: number;
  readonly chosen: boolean;
}

/** The first message of the worker, sent after it has loaded. */
export const readyMessage = 'ready';
