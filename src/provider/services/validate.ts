import { compact } from '../../base/json/present.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { ownNames, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, isObjectValue, type ObjectValue } from '../../hcl/value.ts';
import { loadValidators } from '../../kinds/validators.ts';
import { validateConfig, validateData } from '../plan/validateConfig.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject } from '../protocol/values.ts';
import { dataSourceTypeNamed, resourceTypeNamed } from './types.ts';

/** Checks the shape and rules of one resource, as far as it is known, like `gantry validate`. */
export async function validateResourceConfig({
  type_name: type,
  config: configured,
  client_capabilities: capabilities,
}: RequestOf<'ValidateResourceConfig'>): Promise<ResponseOf<'ValidateResourceConfig'>> {
  const { kind, attributes } = resourceTypeNamed(type);
  const config = readObject(configured, attributes) ?? {};
  const diagnostics = [
    ...validateConfig({ kind, config, validators: await loadValidators([kind]) }),
    ...timeoutProblems(config),
    ...(capabilities?.write_only_attributes_allowed === true ? [] : writeOnlyProblems(config)),
  ];
  return { diagnostics: diagnostics.map((each) => diagnosticMessage(each, attributes)) };
}

/** Checks a data source; its values are checked again when they are all known. */
export function validateDataConfig({
  type_name: type,
  config,
}: RequestOf<'ValidateDataResourceConfig'>): ResponseOf<'ValidateDataResourceConfig'> {
  const { attributes } = dataSourceTypeNamed(type);
  const problems = validateData(readObject(config, attributes) ?? {});
  return { diagnostics: problems.map((each) => diagnosticMessage(each, attributes)) };
}

function timeoutProblems(config: ObjectValue): readonly Diagnostic[] {
  const timeouts = attributeOf(config, ownNames.timeouts);
  if (!isObjectValue(timeouts)) return [];
  return compact(Object.entries(timeouts), ([operation, value]): Diagnostic | undefined =>
    typeof value !== 'string' || durationWithUnitMs(value) !== undefined
      ? undefined
      : {
          severity: 'error',
          summary: `${JSON.stringify(value)} is not a valid duration`,
          detail: 'Write it with units: 30s, 5m, 1h30m.',
          path: [ownNames.timeouts, operation],
        },
  );
}

/** An older Terraform would store the write-only value. */
function writeOnlyProblems(config: ObjectValue): readonly Diagnostic[] {
  if (attributeOf(config, writeOnly.data) === null) return [];
  return [
    {
      severity: 'error',
      summary: 'This version of Terraform does not support write-only attributes',
      detail: `Use Terraform 1.11 or later, or set data, whose value is in the state, in place of ${writeOnly.data}.`,
      path: [writeOnly.data],
    },
  ];
}
