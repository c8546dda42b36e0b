import type { JsonValue } from '../base/json/json.ts';
import type { Answer, OutputFormat } from './answer.ts';
import type { Terminal } from './terminal.ts';

/** The outputs for results. */
interface Outlets {
  readonly options: { readonly output: OutputFormat };
  readonly terminal: Pick<Terminal, 'page' | 'result'>;
  readonly answer: Pick<Answer, 'document' | 'wanted'>;
}

export interface Shown {
  readonly text: () => string | Promise<string>;
  readonly document: () => JsonValue;
  /** More output or a prompt follows, so there is no pager. */
  readonly goesOn?: boolean;
}

/** Outputs a result: for users immediately, for programs and reports as the document of the command. */
export async function show(
  { options, terminal, answer }: Outlets,
  { text, document, goesOn = false }: Shown,
): Promise<void> {
  if (options.output === 'text') {
    if (goesOn) terminal.result(await text());
    else await terminal.page(await text());
  }
  if (answer.wanted) answer.document(document());
}
