import { parseCommandLine } from '../../../src/cli/run.ts';

/** The options that the command line parses from flags. */
export async function parsedOptions<O>(args: readonly string[]): Promise<O> {
  let options: unknown;
  await parseCommandLine(args, async (given) => {
    options = given;
  });
  return options as O; // of the command that `args` name
}
