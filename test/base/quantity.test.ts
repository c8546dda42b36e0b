import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMillicores, memoryBytes } from '../../src/base/text/quantity.ts';

test.each([
  ['0.1', 100],
  ['100m', 100],
  ['1e-1', 100],
  [0.1, 100],
  ['.1', 100],
  ['1', 1000],
  [2, 2000],
  ['1E2', 100_000],
  ['50m', 50],
  ['500u', 0.5],
  ['1000000n', 1],
  ['+1', 1000],
  ['1E', undefined],
  ['1e1', 10_000],
  ['1e-400', 0],
  ['5P', 5e18],
  ['1T', 1e15],
  ['1G', 1e12],
  ['1M', 1e9],
  ['-1', -1000],
  ['-0', 0],
  ['1.', 1000],
])('%s of cpu is %s millicores (platform/concepts.quantities)', (text, millicores) => {
  expect(cpuMillicores(text)).toBe(millicores);
});

test.each([
  ['1Gi', 1_073_741_824],
  ['1024Mi', 1_073_741_824],
  ['0.5Gi', 536_870_912],
  ['128Mi', 134_217_728],
  ['128M', 128_000_000],
  ['1k', 1000],
  ['1K', 1000],
  ['1e3', 1000],
  ['1Pi', 1_125_899_906_842_624],
  [1024, 1024],
  ['0', 0],
  ['1Ki', 1024],
  ['1Mi', 1024 ** 2],
  ['1Ti', 1024 ** 4],
  ['1e999', undefined],
  ['20000000000000000000', 2e19],
  ['200000000000000000000', undefined],
  ['x1', undefined],
  ['1x', undefined],
])('%s of memory is %s bytes (platform/concepts.quantities)', (text, bytes) => {
  expect([memoryBytes(text), memoryBytes(text)]).toEqual([bytes, bytes]);
});

test.each(['', '.', 'abc', '1 Gi', '1gi', '10Gb', '1e', '--1', '1.2.3', 'Infinity', '0x10', '1234567890123456789012'])(
  '%o is not a quantity (platform/concepts.quantities)',
  (text) => {
    expect(cpuMillicores(text)).toBeUndefined();
    expect(memoryBytes(text)).toBeUndefined();
  },
);

test('whole millicores equal decimal cores, for any number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (millicores) => {
      const cores = `${Math.floor(millicores / 1000)}.${String(millicores % 1000).padStart(3, '0')}`;
      expect(cpuMillicores(cores)).toBe(millicores);
      expect(cpuMillicores(`${millicores}m`)).toBe(millicores);
    }),
  );
});
