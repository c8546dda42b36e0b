import { resolve } from 'node:path';
import { meantOrAvailable } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import { type OutputValue, outputsToJson, type StackOutputs } from '../../change/outputs.ts';
import { openUnread } from '../../gantry/loading/openStacks.ts';
import { outputsOf } from '../../gantry/read.ts';
import { outputName } from '../../manifest/readOutput.ts';
import { exists } from '../../project/files/exists.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { AllOption, GlobalOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { rawOutput, renderOutputs } from '../output/outputText.ts';
import { eachStack } from '../steps/eachStack.ts';

export interface OutputCommandOptions extends GlobalOptions, AllOption {
  readonly reveal: boolean;
}

type OutputContext = CommandContext<OutputCommandOptions>;

/** Shows the outputs of stacks; writes nothing. `first`: the name of one output, or the first path. */
export async function runOutput(
  context: OutputContext,
  first: string | undefined,
  others: readonly string[],
): Promise<Ending> {
  const { options } = context;
  const isPath =
    first === undefined ||
    !outputName.test(first) ||
    (others.length === 0 && (await exists(resolve(context.cwd, first))));
  const name = isPath ? undefined : first;
  const paths = isPath && first !== undefined ? [first, ...others] : others;
  // The name of an output determines the stack.
  await using opened = await openUnread(context, paths, { all: options.all || name !== undefined });
  const { platform } = opened;
  const stacks =
    name === undefined
      ? opened.stacks
      : opened.stacks.filter(({ outputs }) => outputs.some((each) => each.name === name));
  if (name !== undefined && stacks.length === 0)
    throw unknownOutput(
      name,
      opened.stacks.flatMap(({ outputs }) => outputs),
    );
  if (name !== undefined && stacks.length > 1 && !options.all)
    throw ofSeveral(
      name,
      stacks.map(({ owner }) => owner),
    );
  return await eachStack(stacks, context, { count: stacks.length }, async (stack, each) => {
    const outputs = stack.outputs.filter((output) => name === undefined || output.name === name);
    const read = await outputsOf(each, platform, { ...stack, outputs });
    const [only] = read.outputs;
    const raw =
      name === undefined || only === undefined ? undefined : () => rawOutput(refuseMissing(only, options.reveal));
    await show(each, {
      text: raw ?? (() => renderOutputs(read, { palette: context.terminal.palette, reveal: options.reveal })),
      document: () => documentOf(read, options.reveal),
    });
    return exitCode.ok;
  });
}

function documentOf({ org, stack, outputs }: StackOutputs, reveal: boolean) {
  return { formatVersion: 1, org, stack, outputs: outputsToJson(outputs, reveal) };
}

/** Prevents that a script continues with an empty text, or that a log gets a secret by mistake. */
function refuseMissing(output: OutputValue, reveal: boolean): OutputValue {
  const { name, value, missing = '', sensitive } = output;
  if (value === undefined) {
    throw new ToolError({
      code: 'output.missing',
      message: `the output ${name} has no value: ${missing}`,
      hint: 'A value that the platform sets is known after an apply, or later if the platform is still working on it. A value that is shown once is only in its file.',
    });
  }
  if (!sensitive || reveal) return output;
  throw new ToolError({
    code: 'output.sensitive',
    message: `the output ${name} is sensitive`,
    hint: 'Add --reveal to print it. Keep it out of logs.',
  });
}

function unknownOutput(name: string, known: readonly { readonly name: string }[]): ToolError {
  const names = [...new Set(known.map((each) => each.name))].sort();
  return new ToolError({
    code: 'output.unknown',
    message: `there is no output ${JSON.stringify(name)}, and no folder or file of this name`,
    hint:
      names.length === 0
        ? 'No output is declared: new Output(stack, NAME, VALUE), or a manifest of kind: output.'
        : meantOrAvailable(name, names),
  });
}

function ofSeveral(name: string, owners: readonly string[]): ToolError {
  return new ToolError({
    code: 'stack.choose',
    message: `several stacks have an output ${name}: ${owners.join(', ')}`,
    hint: 'Name one behind the path, as in `shop/network`, or by --stack NAME; --all prints all of them.',
  });
}
