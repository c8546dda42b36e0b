import type { JsonValue } from '../../../base/json/json.ts';
import { ipv6Groups } from '../../../base/text/ipv6.ts';
import { cpuMillicores, memoryBytes } from '../../../base/text/quantity.ts';
import type { FieldFacts } from '../../../schema/facts/fieldFacts.ts';

/** The same value in another notation; `inBlocks`: it is an item of a list of address blocks. */
export function respelled(value: JsonValue, facts: FieldFacts, inBlocks: boolean): JsonValue {
  if (facts.asText === true && value !== null && typeof value !== 'object') return String(value);
  if (facts.quantity !== undefined && (typeof value === 'string' || typeof value === 'number')) {
    return facts.quantity === 'cpu' ? otherCpu(value) : otherMemory(value);
  }
  if (typeof value !== 'string') return value;
  if (facts.jsonText === true) return otherJson(value);
  return inBlocks ? otherBlock(value) : value;
}

function otherCpu(value: string | number): JsonValue {
  const millicores = cpuMillicores(value);
  if (millicores === undefined || !Number.isInteger(millicores)) return value;
  return String(value).endsWith('m') ? String(millicores / 1000) : `${millicores}m`;
}

function otherMemory(value: string | number): JsonValue {
  const bytes = memoryBytes(value);
  if (bytes === undefined || bytes % 1024 !== 0) return value;
  const kibi = bytes / 1024;
  return kibi % 1024 === 0 && !String(value).endsWith('Mi') ? `${kibi / 1024}Mi` : `${kibi}Ki`;
}

function otherJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text; // not JSON: unchanged
  }
}

/** A bare address as a block of one and back; IPv6 written out, in capitals. */
function otherBlock(text: string): string {
  const [address = '', length] = text.split('/');
  const groups = ipv6Groups(address);
  const shown = groups === undefined ? address : groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
  const whole = groups === undefined ? '32' : '128';
  const words = shown.toUpperCase();
  if (length === undefined) return `${words}/${whole}`;
  return length === whole ? words : `${words}/${length}`;
}
