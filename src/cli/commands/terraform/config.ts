import { dirname, resolve } from 'node:path';
import { providerBundle } from '../../../gantry/terraform/installProvider.ts';
import { developmentConfiguration, mirrorConfiguration } from '../../../hcl/configuration/cliConfiguration.ts';
import { withoutLastLineEnd } from '../../../terminal/answer.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
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
