import { schemaJson } from '../../../terraform/documents/schemaJson.ts';
import { providerSource } from '../../../terraform/model/provider.ts';
import { providerSchema } from '../../../terraform/schema/providerSchema.ts';
import type { Ending } from '../../answer/ending.ts';
import type { CommandContext } from '../../line/context.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { SchemaOptions } from './options.ts';

/** Prints the schema of the provider as JSON in one line, as Terraform does (`-o yaml`: as YAML). */
export async function runSchemaOf({ options, terminal, answer }: CommandContext<SchemaOptions>): Promise<Ending> {
  const schema = schemaJson(providerSchema(), providerSource);
  if (options.output === 'text') terminal.result(JSON.stringify(schema));
  else answer.document(schema);
  return exitCode.ok;
}
