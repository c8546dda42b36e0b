import type { JsonObject } from '../../../base/json/json.ts';
import { commandFields } from './commandSpec.ts';

/** Numbers are accepted as text too (platform/patch.clients). */
const properties: JsonObject = {
  location: { type: 'string', minLength: 1, description: 'The name of a location, or a link to it' },
  volumeIndex: { type: ['integer', 'string'], description: 'The index of the replica; 0 for a shared set' },
  newStorageCapacity: { type: ['number', 'string'], description: 'GB in total' },
  timeoutSeconds: { type: ['number', 'string'], description: 'Default: 600' },
  snapshotName: { type: 'string', minLength: 1, maxLength: 128 },
  snapshotExpirationDate: { type: 'string', description: 'ISO 8601' },
  snapshotTags: { type: 'array', items: { type: 'object' }, description: 'Objects of one pair each' },
  zone: { type: 'string', minLength: 1, maxLength: 64 },
};

/** JSON Schema of the `spec` of a command on a volume (platform/commands). */
export function commandSchema(type: string): JsonObject {
  const { required, optional } = commandFields(type);
  return {
    type: 'object',
    properties: Object.fromEntries([...required, ...optional].map((key) => [key, properties[key] ?? {}])),
    required,
    additionalProperties: false,
  };
}
