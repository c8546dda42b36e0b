import { resolve } from 'node:path';
import { installProvider, terraformPlatform } from '../../../gantry/terraform/installProvider.ts';
import { mirrorConfiguration, requirements } from '../../../hcl/configuration/cliConfiguration.ts';
import { nativeSyntax } from '../../../hcl/configurationText.ts';
import { providerSource } from '../../../hcl/provider.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
import { version } from '../../../terminal/version.ts';
import { installationForm } from '../../schemas/terraform.ts';
import type { InstallOptions } from './options.ts';

/** Where Terraform and OpenTofu look without configuration, below the folder of the project. */
export const usualMirror = 'terraform.d/plugins';

/** Writes the provider to a mirror, and explains how a project declares it. */
export async function runInstall(context: CommandContext<InstallOptions>): Promise<Ending> {
  const { options, cwd } = context;
  const folder = resolve(cwd, options.dir ?? usualMirror);
  const platform = terraformPlatform(process.platform, process.arch);
  const file = await installProvider({ folder, version, platform });
  await show(context, {
    document: () => installationForm.write({ source: providerSource, version, platform, folder, file }),
    text: () =>
      [
        `installed  ${file}`,
        '',
        'Declare it:',
        nativeSyntax([requirements(version)]),
        ...(options.dir === undefined
          ? ['Next: terraform init']
          : [
              'Unless Terraform looks there anyway (~/.terraform.d/plugins), put this into a file, and its name into',
              'TF_CLI_CONFIG_FILE:',
              mirrorConfiguration(folder),
              'Next: terraform init',
            ]),
      ].join('\n'),
  });
  return exitCode.ok;
}
