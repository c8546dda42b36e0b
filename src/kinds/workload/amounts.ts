import { type JsonObject, own } from '../../base/json/json.ts';
import { cpuMillicores, memoryBytes } from '../../base/text/quantity.ts';

export const mebibyte = 1024 ** 2;

/**
 * Millicores and bytes; the platform's defaults where omitted (platform/workload.containers). Undefined: not a
 * quantity.
 */
export interface Amounts {
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  readonly minCpu: number | undefined;
  readonly minMemory: number | undefined;
}

export function amountsOf(container: JsonObject): Amounts {
  return {
    cpu: amount(container, 'cpu', cpuMillicores, 50),
    memory: amount(container, 'memory', memoryBytes, 128 * mebibyte),
    minCpu: amount(container, 'minCpu', cpuMillicores),
    minMemory: amount(container, 'minMemory', memoryBytes),
  };
}

function amount(
  container: JsonObject,
  key: string,
  parse: (text: string | number) => number | undefined,
  otherwise?: number,
): number | undefined {
  const value = own(container, key);
  if (value === undefined) return otherwise;
  return typeof value === 'string' || typeof value === 'number' ? parse(value) : undefined;
}
