import type { JsonValue } from '../../base/json/json.ts';
import type { Terminal } from '../terminal.ts';
import type { Answer, OutputFormat } from './answer.ts';

/** Where results go. */
interface Outlets {
  readonly options: { readonly output: OutputFormat };
  readonly terminal: Pick<Terminal, 'result'>;
  readonly answer: Pick<Answer, 'document' | 'wanted'>;
}

export interface Shown {
  readonly text: () => string | Promise<string>;
  readonly document: () => JsonValue;
}

/** Hands over a result: to people at once, to programs and reports as the document of the command. */
export async function show({ options, terminal, answer }: Outlets, { text, document }: Shown): Promise<void> {
  if (options.output === 'text') terminal.result(await text());
  if (answer.wanted) answer.document(document());
}
