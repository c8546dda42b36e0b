import { ipv6Groups } from '../../base/text/ipv6.ts';

/** Whether a text is an IPv4 or IPv6 address, or a block of them (`10.0.0.0/8`; platform/concepts.quantities). */
export function isAddressBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = address.includes(':') ? (ipv6Groups(address) === undefined ? 0 : 128) : isIpv4(address) ? 32 : 0;
  if (bits === 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}
