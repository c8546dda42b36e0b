import { creatableKinds, readOnlyKinds } from '../../../schema/record/kinds.ts';

/** What commands print for programs, and the file of a plan. */
const documents = ['plan', 'saved-plan', 'explanation', 'drift', 'status', 'adoption', 'error'] as const;

/** Everything that `gantry schema` prints a JSON Schema of. */
export const schemaNames: readonly string[] = [...creatableKinds, ...readOnlyKinds, ...documents];
