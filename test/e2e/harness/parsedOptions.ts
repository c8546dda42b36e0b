import { parseCommandLine } from '../../../src/cli/run.ts';

/** What the flags of a command mean, as the command line reads them. */
export async function parsedOptions<O>(args: readonly string[]): Promise<O> {
  let options: unknown;
  await parseCommandLine(args, async (given) => {
    options = given;
  });
  return options as O; // of the command that `args` name
}
