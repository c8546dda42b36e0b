import { expect, test } from 'vitest';
import { ipv6Groups } from '../../src/base/text/ipv6.ts';

test.each<[string, readonly number[]]>([
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
  ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
  ['1::', [1, 0, 0, 0, 0, 0, 0, 0]],
  ['2001:DB8::00ff', [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0xff]],
  ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0]],
  ['::ffff:1.2.3.4', [0, 0, 0, 0, 0, 0xffff, 0x102, 0x304]],
  ['1:2:3:4:5:6:255.255.0.1', [1, 2, 3, 4, 5, 6, 0xffff, 1]],
])('%s has eight groups', (text, groups) => {
  expect(ipv6Groups(text)).toEqual(groups);
});

test.each([
  '',
  ':',
  ':::',
  '1',
  '1.2.3.4',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '::1::',
  '12345::',
  'g::',
  '1.2.3.4::',
  '::1.2.3',
  '::1.2.3.256',
  '::1.2.3.4:5',
  'fe80::1%eth0',
  ':1::2',
])('%j is not an IPv6 address', (text) => {
  expect(ipv6Groups(text)).toBeUndefined();
});
