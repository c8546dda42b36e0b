import { resolve } from 'node:path';
import { installProvider, terraformPlatform } from '../../../automation/terraform/installProvider.ts';
import { mirrorConfiguration } from '../../../terraform/documents/cliConfiguration.ts';
import { requirements } from '../../../terraform/documents/requirements.ts';
import { nativeSyntax } from '../../../terraform/hcl/nativeSyntax.ts';
import { providerSource } from '../../../terraform/model/provider.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import { exitCode } from '../../process/exitCode.ts';
import { version } from '../../process/version.ts';
import type { InstallOptions } from './options.ts';
import { installationForm } from './schema.ts';

/** Where Terraform and OpenTofu look without any configuration, below the folder of the project. */
export const usualMirror = 'terraform.d/plugins';

/** Writes the provider to a mirror, and says what a project has to declare to take it from there. */
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
