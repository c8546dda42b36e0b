import { dirname, resolve } from 'node:path';
import { providerBundle } from '../../../gantry/terraform/installProvider.ts';
import { developmentConfiguration, mirrorConfiguration } from '../../../hcl/configuration/cliConfiguration.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import { withoutLastLineEnd } from '../../../terminal/answer/toText.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { cliConfigurationForm } from '../../schemas/terraform.ts';
import { usualMirror } from './install.ts';
import type { ConfigOptions } from './options.ts';

/** Prints the CLI configuration for a mirror, or for the provider of this installation. */
export async function runConfig(context: CommandContext<ConfigOptions>): Promise<Ending> {
  const { options, cwd } = context;
  const folder = options.dev ? dirname(await providerBundle()) : resolve(cwd, options.dir ?? usualMirror);
  const text = options.dev ? developmentConfiguration(folder) : mirrorConfiguration(folder);
  await show(context, {
    document: () => cliConfigurationForm.write({ folder, text }),
    text: () => withoutLastLineEnd(text),
  });
  return exitCode.ok;
}
