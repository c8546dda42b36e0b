import { schemaJson } from '../../../hcl/configuration/schemaJson.ts';
import { providerSource } from '../../../hcl/provider.ts';
import { providerSchema } from '../../../hcl/schema/providerSchema.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import type { SchemaOptions } from './options.ts';

/** Prints the schema of the provider as JSON in one line, as Terraform does (`-o yaml`: as YAML). */
export async function runSchemaOf({ options, terminal, answer }: CommandContext<SchemaOptions>): Promise<Ending> {
  const schema = schemaJson(providerSchema(), providerSource);
  if (options.output === 'text') terminal.result(JSON.stringify(schema));
  else answer.document(schema);
  return exitCode.ok;
}
