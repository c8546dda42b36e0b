import type { CheckedInputs } from '../../../automation/loading/loadStack.ts';
import { toManifest } from '../../../plan/record/toManifest.ts';
import { configurationOf } from '../../../terraform/configuration/configuration.ts';
import { notesOf } from '../../../terraform/configuration/notes.ts';
import { requirements } from '../../../terraform/documents/requirements.ts';
import { jsonSyntax } from '../../../terraform/hcl/jsonSyntax.ts';
import type { Ending } from '../../answer/ending.ts';
import { toText, withoutLastLineEnd } from '../../answer/toText.ts';
import type { CommandContext } from '../../line/context.ts';
import { exitCode } from '../../process/exitCode.ts';
import { version } from '../../process/version.ts';
import { printable } from '../../terminal/printable.ts';
import type { SynthOptions } from './options.ts';

/**
 * The content of a `.tf.json` file: references in place of texts that name other resources of the stack. Sensitive
 * values are variables, unless `--reveal` is given.
 */
export async function synthesizeTerraform(
  { options, terminal, answer }: CommandContext<SynthOptions>,
  { desired, org }: CheckedInputs,
): Promise<Ending> {
  const records = desired.map((resource) => ({ ref: resource.ref, record: toManifest(resource) }));
  const made = configurationOf(records, { org, imports: false, hideSensitive: !options.reveal });
  const document = jsonSyntax([requirements(version), ...made.blocks]);
  for (const note of notesOf(made)) terminal.message(`note: ${printable(note)}`);
  if (options.output === 'text') terminal.result(withoutLastLineEnd(await toText(document, 'json')));
  else answer.document(document);
  return exitCode.ok;
}
