import { readFile } from 'node:fs/promises';
import { Encoded } from '../protocol/encoded.ts';
import type { ResponseOf } from '../protocol/messages.ts';
import { capabilities, schemaResponse } from '../protocol/schemaMessages.ts';

/** The name of the file that the build writes beside this code. */
export const schemaFile = 'schema.bin';

/**
 * Prepared by the build: every command of Terraform requests it, and building it takes longer than the start of the
 * process. If there is no such file, as in the single executable, it is built here.
 */
export async function getProviderSchema(): Promise<ResponseOf<'GetProviderSchema'> | Encoded> {
  const prepared = await readFile(new URL(schemaFile, import.meta.url)).catch(() => undefined);
  return prepared === undefined ? schemaResponse(await providerSchema()) : new Encoded(prepared);
}

export async function getMetadata(): Promise<ResponseOf<'GetMetadata'>> {
  const { resources, dataSources, ephemeral, functions } = await providerSchema();
  const named = (types: Readonly<Record<string, unknown>>) => Object.keys(types).map((type) => ({ type_name: type }));
  return {
    server_capabilities: capabilities,
    resources: named(resources),
    data_sources: named(dataSources),
    ephemeral_resources: named(ephemeral),
    functions: Object.keys(functions).map((name) => ({ name })),
  };
}

/** Loads all kinds. */
async function providerSchema() {
  return (await import('../../hcl/schema/providerSchema.ts')).providerSchema();
}
