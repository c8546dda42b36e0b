// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to live values are what it is about
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { present } from '../../../src/base/json/present.ts';
import { checkManifests, filledProblems } from '../../../src/manifest/checkManifests.ts';
import { fillLive, valueOfReference, withLiveValues } from '../../../src/manifest/live/liveReference.ts';
import { check, documentsIn, options } from '../checking.ts';

function workload(value: string, more = ''): string {
  return `kind: workload
name: api
gvc: shop
spec:
  type: standard
  containers:
    - { name: main, image: a:1, ports: [{ number: 80, protocol: http }], env: [{ name: A, value: '${value}' }] }
${more}`;
}

const secret = `---
kind: secret
name: login
type: opaque
data: { payload: hunter22, encoding: plain }
`;

describe('a value of a live record', () => {
  test('is known by its resource, and valid for any field', () => {
    const manifests = workload(
      'https://${live.workload/shop/web:status.endpoint}',
      '  firewallConfig: { external: { outboundAllowHostname: ["${live.workload/shop/web:status.internalName}"] } }\n',
    );
    const { resources, problems } = check(manifests);
    expect(problems).toEqual([]);
    expect(resources[0]?.reads).toMatchObject([
      { id: 'workload/shop/web', path: 'status.endpoint' },
      { id: 'workload/shop/web', path: 'status.internalName' },
    ]);
  });

  test('may be anything inside of JSON that the platform sets', () => {
    const path = 'status.locations.eu.volumes.0.volumeSnapshots.0.tags.team';
    const { resources, problems } = check(workload(`\${live.volumeset/shop/rows:${path}}`));
    expect([problems, resources[0]?.reads]).toMatchObject([[], [{ id: 'volumeset/shop/rows', path }]]);
  });

  test('does not keep rules from checking known values', () => {
    const { problems } = check(
      workload('${live.workload/shop/web:status.endpoint}').replace('number: 80', 'number: 9090'),
    );
    expect(problems.map(({ rule }) => rule)).toEqual(['W5']);
  });

  test('is literal if it is escaped', () => {
    const { resources, problems } = check(workload('$${live.whatever}'));
    expect([problems, resources[0]?.reads]).toEqual([[], []]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ['a misspelled field', '${live.workload/shop/web:status.endpiont}', 'live.reference',
        'status has no field "endpiont"; Did you mean status.endpoint?'],
      ['a misspelled field at the top', '${live.workload/shop/web:speec}', 'live.reference',
        'a record has no field "speec"; Did you mean spec?'],
      ['a field of a text', '${live.workload/shop/web:status.endpoint.host}', 'live.reference',
        'status.endpoint has no field "host"; Available: none.'],
      ['a step that is empty', '${live.workload/shop/web:status..endpoint}', 'live.reference', 'Write it as'],
      ['no name', '${live.gvc/:description}', 'live.reference', 'Write it as'],
      ['no name in a GVC', '${live.workload/shop/:status.endpoint}', 'live.reference', 'Write it as'],
      ['an open brace', '${live.workload/shop/web:status.endpoint', 'live.reference', 'Write it as'],
      ['a word before it', '${live.the workload/shop/web:status.endpoint}', 'live.reference', 'Write it as'],
      ['an unknown kind', '${live.wrkload/web:status.endpoint}', 'live.reference', 'Write it as'],
      ['a name with two slashes', '${live.workload/shop/web/a:status.endpoint}', 'live.reference', 'Write it as'],
      ['the same record', '${live.workload/shop/api:status.endpoint}', 'live.self', 'leave it out'],
      ['a secret', '${live.secret/login:data.payload}', 'live.sensitive', 'scheme://secret/NAME.KEY'],
      ['a secret that is declared elsewhere', '${live.secret/other:data.payload}', 'live.sensitive',
        'scheme://secret/NAME.KEY'],
      ['a list with secrets in it', '${live.serviceaccount/ci:keys}', 'live.sensitive', 'scheme://secret/NAME.KEY'],
      ['a value that is shown once', '${live.agent/a:status.bootstrapConfig.hubEndpoint}', 'live.once',
        'in the data of a secret, or by an output with saveTo'],
    ],
  )('is refused for %s', (_, value, rule, said) => {
    const { problems } = check(`${workload(value)}${secret}`);
    expect(problems.map((problem) => [problem.rule, problem.path, `${problem.message}; ${problem.hint}`])).toEqual([
      [rule, 'spec.containers.main.env.A.value', expect.stringContaining(said)],
    ]);
    expect(JSON.stringify(problems)).not.toContain('hunter22');
  });

  test('that is shown once cannot be an output either', () => {
    const { problems } = check('kind: output\nname: a\nvalue: ${live.agent/a:status.bootstrapConfig}\n');
    expect(problems.map(({ rule, position: { line } }) => [rule, line])).toEqual([['live.once', 3]]);
  });

  test('that is shown once is kept only by the stack that makes it', () => {
    const documents = documentsIn(
      `kind: agent\nname: here\n${secret.replace('hunter22', "'${live.agent/here:status.bootstrapConfig}'")}`,
    );
    const rulesIn = (...stacks: readonly string[]) => {
      const made = documents.map((document, index) => {
        const [stack = ''] = stacks.slice(index);
        return { ...document, madeBy: { construct: '', callers: [], stack } };
      });
      return checkManifests(made, options).problems.map(({ rule }) => rule);
    };
    expect([rulesIn('net', 'net'), rulesIn('net', 'shop')]).toEqual([[], ['live.elsewhere']]);
  });

  test.each([
    ['bootstrapConfig.hubEndpoint', false],
    ['bootstrapConfig.registrationToken', true],
    ['bootstrapConfig', true],
  ])('of an agent, status.%s, is a sensitive output: %s', (path, sensitive) => {
    const output = `kind: output\nname: a\nvalue: \${live.agent/a:status.${path}}\nsaveTo: { file: a.txt }\n`;
    expect(check(output).outputs).toMatchObject([{ name: 'a', sensitive }]);
  });

  test('an output has the place of the name that it does not know, and of a value that is wrong', () => {
    const { problems } = check('kind: output\nname: a b\nvalue: 1\ncolour: red\n');
    expect(problems.map(({ position: { line, column } }) => [line, column])).toEqual([
      [2, 7],
      [4, 1],
    ]);
  });

  const [cpu, memory] = ['${live.workload/shop/web:status.endpoint}', '${live.workload/shop/web:status.internalName}'];
  const sized = workload('x').replace('image: a:1', `image: a:1, cpu: '${cpu}', memory: '${memory}'`);
  const copied = `kind: secret\nname: login\ntype: opaque\ndata: { payload: '${cpu}', encoding: plain }\n`;
  test.each<[string, string, Readonly<Record<string, JsonValue>>, readonly string[]]>([
    ['an invalid one, and not one beside it that is unknown', sized, { [cpu]: 'fast' }, ['spec.containers.main.cpu']],
    ['none that is valid', sized, { [cpu]: '100m', [memory]: '128Mi' }, []],
    ['none if all are unknown', sized, {}, []],
    ['no warning', copied, { [cpu]: '${a}' }, []],
  ])('is checked when it is known: %s', (_, text, values, paths) => {
    const { resources } = check(text);
    const filled = resources.map((resource) => ({
      ...resource,
      record: fillLive(resource.record, (reference) => values[reference.text]),
      reads: resource.reads?.map((read) => ({ ...read, ...present({ value: values[read.text] }) })) ?? [],
    }));
    expect([...new Set(filledProblems(filled, options).map(({ path }) => path))]).toEqual(paths);
  });

  test('is refused if it is marked as sensitive', () => {
    const marked = `---
kind: workload
name: web
gvc: shop
spec: { type: standard, containers: [{ name: main, image: a:1, env: [{ name: T, value: abc }] }] }
lifecycle: { sensitive: [spec.containers.main.env.T.value] }
`;
    const { problems } = check(`${workload('${live.workload/shop/web:spec.containers.main.env.T.value}')}${marked}`);
    expect(problems.map(({ rule }) => rule)).toEqual(['live.sensitive']);
  });
});

describe('values in place of references', () => {
  const reference = '${live.workload/shop/web:status.endpoint}';
  const other = '${live.workload/shop/web:status.internalName}';
  const values = new Map<string, JsonValue>([[reference, 'https://web']]);

  test.each<{ it: string; text: string; once: JsonValue; again: JsonValue }>(
    // biome-ignore format: a row is a case
    [
      { it: 'a whole text', text: reference, once: 'https://web', again: 'https://web' },
      { it: 'a part of a text', text: `<${reference}/x>`, once: '<https://web/x>', again: '<https://web/x>' },
      { it: 'an unknown one stays', text: `${other} ${reference}`, once: `${other} https://web`,
        again: `${other} https://web` },
      { it: 'an escaped one is text, which a second filling may not take for a reference', text: `$${other} $${reference}`,
        once: `${other} ${reference}`, again: `$${other} ${reference}` },
    ],
  )('$it', ({ text, once, again }) => {
    expect(fillLive({ a: [text] }, (each) => values.get(each.text))).toEqual({ a: [once] });
    expect(withLiveValues({ a: [text] }, values)).toEqual({ a: [again] });
  });

  test.each<{ it: string; text: string; filled: JsonValue; value: JsonValue | undefined }>([
    { it: 'a whole text has any value', text: reference, filled: { a: 1 }, value: { a: 1 } },
    { it: 'a part of one', text: `<${reference}/x>`, filled: '<https://web/x>', value: 'https://web' },
    { it: 'an empty one', text: `<${reference}/x>`, filled: '</x>', value: '' },
    { it: 'another beginning', text: `<${reference}/x>`, filled: 'https://web/x>', value: undefined },
    { it: 'another end', text: `<${reference}/x>`, filled: '<https://web', value: undefined },
    { it: 'a beginning that overlaps the end', text: `aba${reference}aba`, filled: 'aba', value: undefined },
    { it: 'no text', text: `<${reference}/x>`, filled: 7, value: undefined },
    { it: 'no reference', text: 'plain', filled: 'plain', value: undefined },
    { it: 'two references', text: `${reference}${other}`, filled: 'ab', value: undefined },
  ])('the value that a text was filled with: $it', ({ text, filled, value }) => {
    expect(valueOfReference(text, filled)).toEqual(value === undefined ? undefined : [reference, value]);
  });
});
