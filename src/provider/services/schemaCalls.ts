import { providerSchema } from '../../terraform/schema/providerSchema.ts';
import type { ResponseOf } from '../protocol/messages.ts';
import { capabilities, schemaResponse } from '../protocol/schemaMessages.ts';

export function getProviderSchema(): ResponseOf<'GetProviderSchema'> {
  return schemaResponse(providerSchema());
}

export function getMetadata(): ResponseOf<'GetMetadata'> {
  const { resources, dataSources } = providerSchema();
  const named = (types: Readonly<Record<string, unknown>>) => Object.keys(types).map((type) => ({ type_name: type }));
  return {
    server_capabilities: capabilities,
    resources: named(resources),
    data_sources: named(dataSources),
  };
}
