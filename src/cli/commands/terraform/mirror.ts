import { resolve } from 'node:path';
import { makeMirror } from '../../../gantry/terraform/installProvider.ts';
import { mirrorConfiguration } from '../../../hcl/configuration/cliConfiguration.ts';
import { providerSource } from '../../../hcl/provider.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
import { version } from '../../../terminal/version.ts';
import { mirrorForm } from '../../schemas/terraform.ts';
import type { MirrorOptions } from './options.ts';

/** Writes a packed mirror, and explains how Terraform uses it. */
export async function runMirror(context: CommandContext<MirrorOptions>, dir: string): Promise<Ending> {
  const folder = resolve(context.cwd, dir);
  const files = await makeMirror(folder, version);
  await show(context, {
    document: () => mirrorForm.write({ source: providerSource, version, folder, files }),
    text: () =>
      [
        ...files.map((file) => `wrote  ${file}`),
        '',
        'Put this into a file, and its name into TF_CLI_CONFIG_FILE:',
        mirrorConfiguration(folder),
        'Next: terraform init',
      ].join('\n'),
  });
  return exitCode.ok;
}
