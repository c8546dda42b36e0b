import { join, resolve } from 'node:path';
import { generators, makeBindings } from '../../../gantry/terraform/makeBindings.ts';
import { schemaJson, withoutBlocks } from '../../../hcl/configuration/schemaJson.ts';
import { providerSource, providerType } from '../../../hcl/provider.ts';
import { providerSchema } from '../../../hcl/schema/providerSchema.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
import { version } from '../../../terminal/version.ts';
import { bindingsForm } from '../../schemas/terraform.ts';
import type { BindingsOptions } from './options.ts';

/** Writes typed classes of the provider, using the project's generator. */
export async function runBindings(context: CommandContext<BindingsOptions>): Promise<Ending> {
  const { options, cwd } = context;
  const tool = options.for;
  const out = resolve(cwd, options.out);
  const schema = schemaJson(withoutBlocks(providerSchema()), providerSource);
  const folder = await makeBindings({ tool, project: cwd, out, schema, source: providerSource, version });
  await show(context, {
    document: () => bindingsForm.write({ tool, package: generators[tool].package, folder }),
    text: () =>
      `written  ${folder}\nUse them: import { Gvc } from './${join(options.out, 'providers', providerType)}/gvc/index.js';`,
  });
  return exitCode.ok;
}
