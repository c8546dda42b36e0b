import { readFile } from 'node:fs/promises';
import type { Ending } from '../answer/ending.ts';
import { formatted } from '../answer/formatted.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { creatableKinds, readOnlyKinds } from '../../schema/kinds.ts';
import type { JsonValue } from '../../schema/json.ts';
import type { OutputOptions } from '../options.ts';
import { UsageError } from '../usageError.ts';

/** Beside the bundle (`dist/chunks/..`, `dist/`), and in the source tree. */
const folders = ['../schemas/', './schemas/', '../../../generated/schemas/'];

/** What commands print for programs, and the file of a plan. */
const forPrograms = ['plan', 'saved-plan', 'explanation', 'drift', 'status', 'adoption', 'error'] as const;

/** Prints the schema as JSON (`-o yaml`: as YAML); `plan` is that of `plan -o json`. */
export async function runSchema(
  { options, terminal, answer }: CommandContext<OutputOptions>,
  kind: string,
): Promise<Ending> {
  const known: readonly string[] = [...creatableKinds, ...readOnlyKinds, ...forPrograms];
  if (!known.includes(kind)) {
    throw new UsageError(`there is no schema ${JSON.stringify(kind)}`, `There are: ${known.join(', ')}.`);
  }
  const schema = await schemaOf(kind);
  if (options.output === 'text') terminal.result(await formatted(schema, 'json'));
  else answer.document(schema);
  return exitCode.ok;
}

async function schemaOf(kind: string): Promise<JsonValue> {
  if (kind === 'plan') return (await import('../../plan/planSchema.ts')).planSchema;
  if (kind === 'saved-plan') return (await import('../../plan/saved/savedForm.ts')).savedPlanSchema;
  if (kind === 'explanation') return (await import('../../plan/explain/explanationSchema.ts')).explanationSchema;
  if (kind === 'drift') return (await import('../../plan/drift/driftSchema.ts')).driftSchema;
  if (kind === 'status') return (await import('../../plan/status/statusSchema.ts')).statusSchema;
  if (kind === 'adoption') return (await import('../../plan/adopt/adoptionSchema.ts')).adoptionSchema;
  if (kind === 'error') return (await import('../../schema/errorSchema.ts')).errorSchema;
  return readSchema(kind);
}

async function readSchema(kind: string): Promise<JsonValue> {
  for (const folder of folders) {
    const text = await readFile(new URL(`${folder}${kind}.json`, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
  }
  throw new Error(`the schema of ${kind} is missing from this installation`);
}
