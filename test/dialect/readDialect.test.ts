import { expect, test } from 'vitest';
import { ToolError } from '../../src/base/toolError.ts';
import { readDialect } from '../../src/dialect/readDialect.ts';

function refusalOf(file: unknown): ToolError | undefined {
  try {
    readDialect(file, 'd.yaml');
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

interface Case {
  readonly it: string;
  readonly file: unknown;
  readonly code: string;
  /** Parts of the message: the place, and the colliding names. */
  readonly says: readonly string[];
}

// biome-ignore format: one case a line
const refused: readonly Case[] = [
  { it: 'a list', file: [], code: 'dialect.file', says: ['d.yaml', 'words and names'] },
  { it: 'an unknown part', file: { worts: {} }, code: 'dialect.file', says: ['worts'] },
  { it: 'words that are not a map', file: { words: 'quay' }, code: 'dialect.file', says: ['words'] },
  { it: 'an unknown word', file: { words: { broker: 'x' } }, code: 'dialect.word', says: ['broker', 'tracer'] },
  { it: 'a word with a hyphen', file: { words: { scheme: 'my-quay' } }, code: 'dialect.word', says: ['my-quay'] },
  { it: 'a word in capitals', file: { words: { proxy: 'Sluice' } }, code: 'dialect.word', says: ['words.proxy'] },
  { it: 'a word of one letter', file: { words: { proxy: 's' } }, code: 'dialect.word', says: ['words.proxy'] },
  { it: 'a number for a word', file: { words: { vendor: 7 } }, code: 'dialect.word', says: ['words.vendor', '7'] },
  { it: 'an invalid name of a field', file: { names: { proxy_grpc: 'a b' } }, code: 'dialect.name', says: ['a b'] },
  { it: 'a field with a dot', file: { names: { controlplane: 'a.b' } }, code: 'dialect.name', says: ['a.b'] },
  { it: 'two equal words',
    file: { words: { scheme: 'quay', proxy: 'quay' } },
    code: 'dialect.collision',
    says: ['scheme', 'proxy', 'quay'],
  },
  { it: 'an ambiguous word: a neutral word that is itself replaced',
    file: { words: { scheme: 'tracer', tracer: 'lantern' } },
    code: 'dialect.collision',
    says: ['scheme', 'tracer'],
  },
  { it: 'an ambiguous name: a neutral name that is itself replaced',
    file: { names: { 'scheme/run': 'scheme/release', 'scheme/release': 'quay/edition' } },
    code: 'dialect.collision',
    says: ['scheme/run', 'scheme/release'],
  },
  { it: 'a word that is another neutral word',
    file: { words: { vendor: 'proxy' } },
    code: 'dialect.collision',
    says: ['vendor', 'proxy'],
  },
  { it: 'one name for two neutral names',
    file: { names: { proxy_grpc: 'grpc', vendor_grpc: 'grpc' } },
    code: 'dialect.collision',
    says: ['proxy_grpc', 'vendor_grpc'],
  },
  { it: 'two swapped words, each of which is the name of the other field',
    file: { words: { proxy: 'vendor', vendor: 'proxy' } },
    code: 'dialect.collision',
    says: ['the words', 'proxy', 'vendor'],
  },
  { it: 'a word that is also a field beside the one it names',
    file: { words: { tracer: 'otel' } },
    code: 'dialect.collision',
    says: ['gvc spec.tracing.provider', 'tracer', 'otel'],
  },
  { it: 'a name that is also a field beside the one it names',
    file: { names: { inheritEnv: 'env' } },
    code: 'dialect.collision',
    says: ['workload spec.containers[]', 'inheritEnv'],
  },
  { it: 'a name that equals the translation of another name by its word',
    file: { words: { proxy: 'sluice' }, names: { vendor_grpc: 'sluice_grpc' } },
    code: 'dialect.collision',
    says: ['vendor_grpc', 'proxy_grpc', 'sluice_grpc'],
  },
  { it: 'another name for a member on which the meaning of others depends',
    file: { names: { kind: 'sort' } },
    code: 'dialect.name',
    says: ['kind', 'a name of the API'],
  },
  { it: 'the scheme s3 of other volumes', file: { words: { scheme: 's3' } }, code: 'dialect.collision', says: ['s3'] },
  { it: 'the scheme scratch of other volumes',
    file: { words: { scheme: 'scratch' } },
    code: 'dialect.collision',
    says: ['scratch', 'volume'],
  },
  { it: 'a reserved prefix of containers', file: { words: { scheme: 'debugger' } }, code: 'dialect.collision', says: ['debugger'] },
  { it: 'the tags of Gantry', file: { words: { scheme: 'gantry' } }, code: 'dialect.collision', says: ['gantry'] },
];

test.each(refused)('refuses $it', ({ file, code, says }) => {
  const refusal = refusalOf(file);
  expect(refusal?.code).toBe(code);
  for (const text of says) expect(refusal?.message).toContain(text);
  expect(refusal?.hint).toBeTruthy();
});

test.each([
  ['nothing at all', null],
  ['empty parts', { words: null, names: {} }],
  ['some of the words', { words: { scheme: 'quay' } }],
  ['words with digits', { words: { scheme: 'b2b', proxy: 'px', vendor: 'v2', tracer: 'trace4me' } }],
  ['the neutral words themselves', { words: { scheme: 'scheme', proxy: 'proxy' } }],
  ['a word that is a field at another place', { words: { tracer: 'cpu', vendor: 'agent' } }],
  ['one spelling for two names of different classes', { names: { scheme: 'main', tracer: 'main' } }],
])('accepts %s', (_, file) => {
  expect(refusalOf(file)).toBeUndefined();
});

test('a word that is a field elsewhere does not change that field', () => {
  const dialect = readDialect({ words: { tracer: 'cpu' } }, 'd.yaml');
  const workload = { spec: { containers: [{ name: 'main', cpu: '1' }] } };
  expect(dialect.request('/org/o/gvc/g/workload', workload, 'toWire')).toEqual(workload);
  const gvc = { spec: { tracing: { provider: { tracer: {} } } } };
  expect(dialect.request('/org/o/gvc', gvc, 'toWire')).toEqual({ spec: { tracing: { provider: { cpu: {} } } } });
});

test('the audit context can have another name than the scheme of URIs, because names win over words', () => {
  const dialect = readDialect({ words: { scheme: 'quay' }, names: { scheme: 'main-trail' } }, 'd.yaml');
  expect(dialect.address('/org/o/auditctx/scheme', 'toWire')).toBe('/org/o/auditctx/main-trail');
  expect(dialect.request('/org/o/auditctx', { name: 'scheme', tags: { 'scheme/a': 1 } }, 'toWire')).toEqual({
    name: 'main-trail',
    tags: { 'quay/a': 1 },
  });
  const probe = { spec: { containers: [{ readinessProbe: { httpGet: { scheme: 'HTTP' } } }] } };
  expect(dialect.request('/org/o/gvc/g/workload', probe, 'toWire')).toEqual(probe);
});
