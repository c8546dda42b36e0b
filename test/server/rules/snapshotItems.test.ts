import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { snapshotParts } from '../../../src/server/api/snapshotItems.ts';

/** The document, put together from its parts. */
function rebuilt(pieces: readonly string[]): unknown {
  const document = new Map<string, unknown>();
  const orgs = new Map<string, Map<string, JsonValue | JsonValue[]>>();
  for (const part of snapshotParts(pieces)) {
    if (part.of === 'document') document.set(part.name, part.value);
    else if (part.of === 'org') orgs.set(part.org, new Map());
    else if (part.of === 'member') orgs.get(part.org)?.set(part.name, part.value);
    else {
      const list = orgs.get(part.org)?.get(part.name);
      if (Array.isArray(list)) list[part.index] = part.value;
      else orgs.get(part.org)?.set(part.name, [part.value]);
    }
  }
  document.set('orgs', Object.fromEntries([...orgs].map(([org, held]) => [org, Object.fromEntries(held)])));
  return Object.fromEntries(document);
}

function inPieces(text: string, cuts: readonly number[]): readonly string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

const item = fc.jsonValue();
const list = fc.array(item, { minLength: 1, maxLength: 4 });
const name = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text !== '__proto__');
const org = fc.dictionary(
  name,
  fc.oneof(
    list,
    item.filter((value) => !Array.isArray(value)),
  ),
  { noNullPrototype: true },
);
const document = fc.record({ format: item, orgs: fc.dictionary(name, org, { noNullPrototype: true }) });

test('the parts of a document give the document, however it is spaced and split into pieces', () => {
  fc.assert(
    fc.property(document, fc.array(fc.nat(), { maxLength: 20 }), fc.constantFrom('', '\t', 3), (value, cuts, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(rebuilt(inPieces(text, cuts))).toEqual(JSON.parse(text));
    }),
  );
});

test('a value that is longer than a piece is read whole', () => {
  const long = '"\\{['.repeat(300_000);
  const text = JSON.stringify({ format: 1, orgs: { local: { records: [1, { long }, 2], facts: { long } } } });
  const pieces = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, at) =>
    text.slice(at * 65_536, (at + 1) * 65_536),
  );
  expect(rebuilt(pieces)).toEqual(JSON.parse(text));
});

test.each([
  '',
  '[]',
  '{',
  '{"format":1',
  '{"format":1}}',
  '{"format" 1}',
  '{"orgs":{"a":{"records":[1,]}}}',
  '{"a":1,}',
  '{a:1}',
  '{"a":x}',
  '{"a":"x',
])('%j is not a document', (text) => {
  expect(() => [...snapshotParts([text])]).toThrow(SyntaxError);
});
