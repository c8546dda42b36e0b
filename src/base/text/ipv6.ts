const hexadecimal = /^[0-9a-fA-F]{1,4}$/;
const decimalByte = /^\d{1,3}$/;

/**
 * The eight groups of an IPv6 address, so that different spellings of one address are equal: any case, leading zeros,
 * one `::`, and the last two groups as an IPv4 address. Undefined if it is not an IPv6 address.
 */
export function ipv6Groups(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  if (before === undefined || after === undefined) return undefined;
  // An IPv4 address is only allowed at the end.
  if (tail !== undefined && head.includes('.')) return undefined;

  const missing = 8 - before.length - after.length;
  if (tail === undefined) return missing === 0 ? before : undefined;
  return missing < 1 ? undefined : [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

function groupsOf(half: string): readonly number[] | undefined {
  if (half === '') return [];
  const groups: number[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (hexadecimal.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const pair = index === parts.length - 1 ? ipv4Pair(part) : undefined;
    if (pair === undefined) return undefined;
    groups.push(...pair);
  }
  return groups;
}

/** The 32 bits of an IPv4 address as two groups. */
function ipv4Pair(text: string): readonly [number, number] | undefined {
  const bytes = text.split('.');
  if (bytes.length !== 4 || !bytes.every((byte) => decimalByte.test(byte) && Number(byte) <= 255)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return [a * 256 + b, c * 256 + d];
}
