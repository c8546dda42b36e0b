import type { JsonValue } from '../../schema/json/json.ts';
import type { CommandContext } from '../line/context.ts';
import type { OutputOptions } from '../line/options.ts';

export interface Shown {
  readonly text: () => string | Promise<string>;
  readonly document: () => JsonValue;
}

/** Hands over a result: to people at once, to programs as the document of the command. */
export async function show(
  { options, terminal, answer }: Pick<CommandContext<OutputOptions>, 'options' | 'terminal' | 'answer'>,
  { text, document }: Shown,
): Promise<void> {
  if (options.output === 'text') terminal.result(await text());
  else answer.document(document());
}
