import { ToolError } from '../../base/toolError.ts';
import type { CheckedInputs } from '../../gantry/loading/loadStack.ts';
import { requirements } from '../../hcl/configuration/cliConfiguration.ts';
import { type Configuration, configurationOf, notesOf } from '../../hcl/configuration/configuration.ts';
import { jsonSyntax } from '../../hcl/configurationText.ts';
import { toManifest } from '../../plan/record/toManifest.ts';
import { toText, withoutLastLineEnd } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { printable } from '../../terminal/printable.ts';
import { version } from '../../terminal/version.ts';
import type { SynthOptions } from './synthOptions.ts';

/**
 * The content of a `.tf.json` file, with references instead of names of other resources in the stack. Sensitive values
 * are variables, unless `--reveal` is given.
 */
export async function synthesizeTerraform(
  { options, terminal, answer }: CommandContext<SynthOptions>,
  { desired, outputs, org }: CheckedInputs,
): Promise<Ending> {
  const records = desired.map((resource) => ({ ref: resource.ref, record: toManifest(resource) }));
  const made = configurationOf(records, { org, imports: false, hideSensitive: !options.reveal, outputs });
  if (made.unresolved.length > 0) throw noCounterpart(made.unresolved);
  const document = jsonSyntax([requirements(version), ...made.blocks]);
  for (const note of notesOf(made)) terminal.message(`note: ${printable(note)}`);
  if (options.output === 'text') terminal.result(withoutLastLineEnd(await toText(document, 'json')));
  else answer.document(document);
  return exitCode.ok;
}

function noCounterpart(unresolved: Configuration['unresolved']): ToolError {
  const lines = unresolved.map(
    ({ in: place, reference: { id, path }, because }) => `${place} takes ${path} of ${id}: ${because}`,
  );
  return new ToolError({
    code: 'terraform.live',
    message: ['Terraform has nothing for these values, so nothing was printed:', ...lines].join('\n  '),
    hint: 'Remove them, or write the configuration of these fields by hand.',
  });
}
