import { isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import { ipv6Groups } from '../../base/text/ipv6.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { equalValues, memberKey } from './equal.ts';
import { blockKey } from './normalise.ts';

/**
 * Does one item of a list of permissions include all of another one? A block of addresses that contains the other, or
 * an object whose sets contain those of the other (permissions and principals of a binding).
 */
export function covers(list: ListShape, wide: JsonValue, narrow: JsonValue, context: RecordContext): boolean {
  if (list.facts.canonical === 'cidrs' && typeof wide === 'string' && typeof narrow === 'string') {
    return liesIn(narrow, wide);
  }
  const { item } = list;
  if (item.type !== 'object' || !isObject(wide) || !isObject(narrow)) return false;
  return [...item.fields].every(([name, field]) => {
    const [more, less] = [own(wide, name), own(narrow, name)];
    if (field.type !== 'list' || field.facts.list?.class !== 'set' || !isArray(more) || !isArray(less)) {
      return equalValues(field, more, less, context);
    }
    const keys = new Set(more.map((each) => memberKey(field, each, context)));
    return less.every((each) => keys.has(memberKey(field, each, context)));
  });
}

/** Is one block of addresses a part of the other, or the same? False for other texts. */
export function liesIn(narrow: string, wide: string): boolean {
  const [inner, outer] = [bitsOf(blockKey(narrow)), bitsOf(blockKey(wide))];
  return inner !== undefined && outer !== undefined && inner.startsWith(outer);
}

/** The bits that all addresses of a block have in common: the family, and then the bits of its prefix. */
function bitsOf(block: string): string | undefined {
  const [address = '', length = ''] = block.split('/');
  const isIpv6 = address.includes(':');
  const parts = isIpv6 ? ipv6Groups(address) : address.split('.').map(Number);
  if (parts === undefined || parts.some(Number.isNaN)) return undefined;
  const bits = parts.map((part) => part.toString(2).padStart(isIpv6 ? 16 : 8, '0')).join('');
  return `${isIpv6 ? 6 : 4} ${bits.slice(0, Number(length))}`;
}
